# Read by the other scripts: where the service is, and how it is called.
#
#   BASE_URL  address of the service, http://127.0.0.1:8080 unless set
#   API_KEY   one of rest.api_keys, when the service asks for one

BASE_URL=${BASE_URL:-http://127.0.0.1:8080}
API_KEY=${API_KEY:-}

# Prints the answer of the service. Fails when it cannot be reached or answers with a 4xx or 5xx status.
call() {
  if [ -n "$API_KEY" ]; then
    set -- --header "Authorization: Bearer $API_KEY" "$@"
  fi
  curl --silent --show-error --fail-with-body "$@"
  echo
}

# Prints the answer, and fails unless it says that all went well: a document that cannot be indexed is answered with
# status 200 and "ok":false.
expect_ok() {
  answer=$(call "$@") || {
    echo "$answer" >&2
    return 1
  }
  echo "$answer"
  case $answer in
    *'"ok":true'*) ;;
    *) return 1 ;;
  esac
}
