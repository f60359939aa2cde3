"""Publishes what the best fan of an account pays in fees. It has three bugs, on purpose."""

import json
import os
import urllib.request

URL = os.environ["CREATOR_API_URL"]
KEY = os.environ["CREATOR_API_KEY"]
ACCOUNT = os.environ["CREATOR_API_ACCOUNT"]


def send(method, path, body=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        return json.load(urllib.request.urlopen(request, timeout=2))
    except OSError:
        return json.load(urllib.request.urlopen(request, timeout=2))


def count_posts():
    page = send("GET", f"/v1/{ACCOUNT}/posts?limit=10")
    expected = page["data"]["counters"]["postsCount"]
    count = len(page["data"]["list"])
    while len(page["data"]["list"]) == 10:
        page = send("GET", page["_pagination"]["next_page"])
        count += len(page["data"]["list"])
    assert count == expected, f"{count} of {expected} posts"
    return count


def add_up_fees():
    accounts = {"account_ids": [int(ACCOUNT)]}
    fan = send("POST", "/v1/fans", accounts)["data"]["fans"][0]["fan_id"]
    page = send("POST", f"/v1/fans/{fan}/transactions", {**accounts, "limit": 10})
    return sum(transaction["fee"] for transaction in page["data"]["transactions"])


text = f"{count_posts()} posts, {add_up_fees():.2f} dollars of fees"
send("POST", f"/v1/{ACCOUNT}/posts", {"text": text})
print(text)
