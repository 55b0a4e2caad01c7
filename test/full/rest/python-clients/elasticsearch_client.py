"""What a script of a user does with the Python client of Elasticsearch, 8 or 9. Prints what it found as JSON."""

import json
import sys

from elasticsearch import ApiError, Elasticsearch, helpers

node, key = sys.argv[1:3]
client = Elasticsearch(node, bearer_auth=key)
query = {"match": {"content": "lighthouse"}}


def refused(call):
    try:
        call()
        return "not refused"
    except (ApiError, helpers.BulkIndexError) as error:
        return str(error)


def read_point_in_time():
    pit = client.open_point_in_time(index="job_docs", keep_alive="1m")["id"]
    ids, after = [], None
    while True:
        page = client.search(
            pit={"id": pit, "keep_alive": "1m"}, size=80, sort=[{"file.filesize": "asc"}], search_after=after
        )
        hits = page["hits"]["hits"]
        if not hits:
            break
        ids += [hit["_id"] for hit in hits]
        after = hits[-1]["sort"]
    client.close_point_in_time(id=pit)
    return ids


order = {"query": query, "sort": [{"file.filesize": "desc"}]}
near = {"match": {"content": {"query": "lighthuose", "fuzziness": "AUTO"}}}
meant = {"a": {"text": "lighthuose", "term": {"field": "content"}}}
groups = {"field": "file.extension"}
grouped = client.search(index="job_docs", query=near, suggest=meant, collapse=groups)
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
    "msearch": [
        answer.get("status")
        for answer in client.msearch(
            searches=[{"index": "job_docs"}, {"query": query, "size": 1}, {"index": "none"}, {"query": query}]
        )["responses"]
    ],
    "mget": [doc["found"] for doc in client.mget(index="job", ids=["d1", "none"])["docs"]],
    "health": client.cluster.health(wait_for_status="green")["status"],
    "cat_count": client.cat.count(index="job", format="json")[0]["count"],
    "cat_health": client.cat.health(h="status").body.strip(),
    "alias": client.indices.get_alias(index="job").body,
    "settings": list(client.indices.get_settings(index="job")),
    "field_caps": list(client.field_caps(index="job", fields="file.ext*")["fields"]),
    "refresh": client.indices.refresh(index="job")["_shards"]["failed"],
    "count": client.count(index="job", query=query)["count"],
    "bulk": refused(lambda: helpers.bulk(client, [{"_index": "job_docs", "a": 1}])),
    "index": refused(lambda: client.index(index="job_docs", document={"a": 1})),
    "missing": refused(lambda: client.search(index="none")),
}
json.dump(found, sys.stdout)
