"""Takes a page with _pagination for one that has a next page."""

from api import ACCOUNT, get

page = get(f"/v1/{ACCOUNT}/posts?limit=10")
posts = page["data"]["list"]
while "_pagination" in page:
    page = get("" + page["_pagination"]["next_page"])
    posts += page["data"]["list"]
print(len(posts), "posts")
