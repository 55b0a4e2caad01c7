#!/bin/sh
# Runs the crawler with the Node beside it, wherever the folder is and whatever the PATH holds.
self=$0
if [ -h "$self" ]; then self=$(command -p readlink -f "$self"); fi
folder=${self%/*}
[ "$folder" != "$self" ] || folder=.
exec "$folder/node" "$folder/../lib/node_modules/document-crawler/lib/crawler.js" "$@"
