#!/bin/sh
# Posts documents. The answer comes when they are in the index.
#
#   post.sh report.pdf minutes.docx
#   PASSWORD=sesame post.sh locked.pdf
#   POST_OPTIONS='simulate=true' post.sh report.pdf     shows what would be indexed, and indexes nothing
set -eu
. "$(dirname "$0")/service.sh"

[ $# -gt 0 ] || {
  echo "Usage: $0 FILE…" >&2
  exit 2
}

for file in "$@"; do
  if [ -n "${PASSWORD:-}" ]; then
    expect_ok --form "file=@$file" --form-string "password=$PASSWORD" "$BASE_URL/_document?${POST_OPTIONS:-}"
  else
    expect_ok --form "file=@$file" "$BASE_URL/_document?${POST_OPTIONS:-}"
  fi
done
