"""What a script of a user does with the Python client of OpenSearch. Prints what it found as JSON."""

import json
import sys

from opensearchpy import OpenSearch, TransportError, helpers

node, key = sys.argv[1:3]
client = OpenSearch(node, http_auth=("x", key))
query = {"match": {"content": "lighthouse"}}


def refused(call):
    try:
        call()
        return "not refused"
    except TransportError as error:
        return str(error)


def read_point_in_time():
    pit = client.create_pit(index="job_docs", params={"keep_alive": "1m"})["pit_id"]
    ids, after = [], {}
    while True:
        body = {"pit": {"id": pit, "keep_alive": "1m"}, "size": 80, "sort": [{"file.filesize": "asc"}], **after}
        hits = client.search(body=body)["hits"]["hits"]
        if not hits:
            break
        ids += [hit["_id"] for hit in hits]
        after = {"search_after": hits[-1]["sort"]}
    client.delete_pit(body={"pit_id": [pit]})
    return ids


order = {"query": query, "sort": [{"file.filesize": "desc"}]}
lines = [{"index": "job_docs"}, {"query": query, "size": 1}, {"index": "none"}, {"query": query}]
near = {"match": {"content": {"query": "lighthuose", "fuzziness": "AUTO"}}}
meant = {"a": {"text": "lighthuose", "term": {"field": "content"}}}
groups = {"field": "file.extension"}
grouped = client.search(index="job_docs", body={"query": near, "suggest": meant, "collapse": groups})
found = {
    "near": grouped["hits"]["total"]["value"],
    "groups": sorted(hit["fields"]["file.extension"][0] for hit in grouped["hits"]["hits"]),
    "meant": grouped["suggest"]["a"][0]["options"][0]["text"],
    "version": client.info()["version"]["number"],
    "ping": client.ping(),
    "scan": [hit["_id"] for hit in helpers.scan(client, index="job", query={"query": query}, size=60)],
    "scan_in_order": [
        hit["_source"]["file"]["filesize"]
        for hit in helpers.scan(client, index="job_docs", query=order, size=60, preserve_order=True)
    ],
    "point_in_time": read_point_in_time(),
    "msearch": [answer.get("status") for answer in client.msearch(body=lines)["responses"]],
    "mget": [doc["found"] for doc in client.mget(index="job", body={"ids": ["d1", "none"]})["docs"]],
    "health": client.cluster.health(params={"wait_for_status": "green"})["status"],
    "cat_count": client.cat.count(index="job", params={"format": "json"})[0]["count"],
    "cat_health": client.cat.health(params={"h": "status"}).strip(),
    "alias": client.indices.get_alias(index="job"),
    "settings": list(client.indices.get_settings(index="job")),
    "field_caps": list(client.field_caps(index="job", params={"fields": "file.ext*"})["fields"]),
    "refresh": client.indices.refresh(index="job")["_shards"]["failed"],
    "count": client.count(index="job", body={"query": query})["count"],
    "bulk": refused(lambda: helpers.bulk(client, [{"_index": "job_docs", "a": 1}])),
    "index": refused(lambda: client.index(index="job_docs", body={"a": 1})),
    "missing": refused(lambda: client.search(index="none", body={"query": query})),
}
json.dump(found, sys.stdout)
