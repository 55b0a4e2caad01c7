#!/bin/sh
# Deletes documents.
#
#   delete.sh report.pdf                                what an upload of this file name made
#   delete.sh --id report-2025                          by id
set -eu
. "$(dirname "$0")/service.sh"

case $# in
  1) expect_ok --request DELETE --get --data-urlencode "filename=$1" "$BASE_URL/_document" ;;
  2)
    [ "$1" = --id ] || exit 2
    expect_ok --request DELETE "$BASE_URL/_document/$2"
    ;;
  *)
    echo "Usage: $0 FILENAME | --id ID" >&2
    exit 2
    ;;
esac
