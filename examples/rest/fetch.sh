#!/bin/sh
# Lets the service fetch a document by itself.
#
#   fetch.sh https://example.com/report.pdf             a link, http or https
#   fetch.sh contracts/lease.rtf                        a file below fs.url of the job
set -eu
. "$(dirname "$0")/service.sh"

[ $# -eq 1 ] || {
  echo "Usage: $0 URL_OR_PATH" >&2
  exit 2
}

case $1 in
  http://* | https://*) type=http ;;
  *) type=local ;;
esac

# Quotes and backslashes of the name must be escaped in JSON.
escaped=$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')

expect_ok --header 'Content-Type: application/json' \
  --data "{\"type\":\"$type\",\"$type\":{\"url\":\"$escaped\"}}" "$BASE_URL/_document"
