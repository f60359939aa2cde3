"""Reads times in only one of the forms that RFC 3339 allows."""

from datetime import datetime

from api import ACCOUNT, get

for post in get(f"/v1/{ACCOUNT}/posts?limit=5")["data"]["list"]:
    print(datetime.strptime(post["postedAt"], "%Y-%m-%dT%H:%M:%S+00:00"))
