"""Expects that each file has a width and a height."""

from api import ACCOUNT, get

page = get(f"/v1/{ACCOUNT}/vault/media?limit=5")
for media in page["data"]["list"]:
    thumb = media["files"]["thumb"]
    print(media["id"], round(thumb["width"] / thumb["height"], 2))
