#!/bin/sh
# Watches and steers the crawler.
#
#   steer.sh status
#   steer.sh pause                                      until resume
#   steer.sh resume                                     resumes, or starts the next run now
#   steer.sh forget                                     clears the progress of a crawler that is paused: all is looked at again
#   steer.sh wait                                       until the run is over
set -eu
. "$(dirname "$0")/service.sh"

state() {
  call "$BASE_URL/_crawler/status" | sed -n 's/.*"state":"\([A-Z]*\)".*/\1/p'
}

case ${1:-} in
  status) call "$BASE_URL/_crawler/status" ;;
  pause | resume) expect_ok --request POST "$BASE_URL/_crawler/$1" ;;
  forget) expect_ok --request DELETE "$BASE_URL/_crawler/checkpoint" ;;
  wait)
    while [ "$(state)" = RUNNING ]; do sleep 1; done
    state
    ;;
  *)
    echo "Usage: $0 status | pause | resume | forget | wait" >&2
    exit 2
    ;;
esac
