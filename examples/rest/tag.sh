#!/bin/sh
# Posts a document with metadata of its own: free data belongs under "external", and "content", "meta", "file" and "path"
# of the document can be overwritten.
#
#   tag.sh report.pdf '{"external":{"team":"harbour","years":[2024,2025]},"meta":{"title":"The report"}}'
#   tag.sh report.pdf @tags.json
#   ID=report-2025 tag.sh report.pdf @tags.json         under an id of its own; _auto_ makes a new document each time
set -eu
. "$(dirname "$0")/service.sh"

[ $# -eq 2 ] || {
  echo "Usage: $0 FILE TAGS" >&2
  exit 2
}

case $2 in
  @*) tags="--form" value="tags=$2" ;;
  *) tags="--form-string" value="tags=$2" ;;
esac

if [ -n "${ID:-}" ]; then
  expect_ok --request PUT --form "file=@$1" "$tags" "$value" "$BASE_URL/_document/$ID"
else
  expect_ok --form "file=@$1" "$tags" "$value" "$BASE_URL/_document"
fi
