"""Stops reading at a page without rows, although it names a next page."""

from api import ACCOUNT, get

expected = get(f"/v1/{ACCOUNT}/subscribers/counts")["data"]["subscribers"]["active"]
page = get(f"/v1/{ACCOUNT}/subscribers?limit=2")
fans = []
while page["data"]["list"]:
    fans += page["data"]["list"]
    if page.get("_pagination", {}).get("next_page") is None:
        break
    page = get(page["_pagination"]["next_page"])
assert len(fans) == expected, f"{len(fans)} of {expected} subscribers"
