"""Copies all subscribers, with the end of their subscriptions."""

from datetime import datetime

from api import ACCOUNT, get

expected = get(f"/v1/{ACCOUNT}/subscribers/counts")["data"]["subscribers"]["active"]
ends = {}
path = f"/v1/{ACCOUNT}/subscribers?limit=100"
while path is not None:
    page = get(path)
    for fan in page["data"]["list"]:
        ends[fan["id"]] = datetime.fromisoformat(fan["subscribedOnData"]["expiredAt"])
    path = page.get("_pagination", {}).get("next_page")
assert len(ends) == expected, f"{len(ends)} of {expected} subscribers"
