#!/bin/sh
# Searches the index of the job, page by page.
#
#   search.sh lighthouse
#   search.sh '"brown fox" -dog'
#   SIZE=50 FROM=50 search.sh lighthouse                the second fifty
set -eu
. "$(dirname "$0")/service.sh"

[ $# -gt 0 ] || {
  echo "Usage: $0 WORDS…" >&2
  exit 2
}

expect_ok --get --data-urlencode "q=$*" --data "size=${SIZE:-10}" --data "from=${FROM:-0}" "$BASE_URL/_search"
