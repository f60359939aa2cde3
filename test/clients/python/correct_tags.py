"""Adds a tag to each tracking link, and creates it if it does not exist yet."""

from api import ACCOUNT, get_all, post, write_once


def find_tags():
    return [tag["id"] for tag in get_all("/v1/tags") if tag["name"] == "Autumn"]


def find_links():
    return get_all(f"/v1/{ACCOUNT}/tracking-links?limit=100")


def are_tagged():
    return all("Autumn" in [tag["name"] for tag in link["tags"]] for link in find_links())


if not find_tags():
    write_once(lambda: post("/v1/tags", {"name": "Autumn"}), lambda: bool(find_tags()))
body = {"link_ids": [link["id"] for link in find_links()], "tag_ids": find_tags()}
write_once(lambda: post(f"/v1/{ACCOUNT}/tracking-links/tags/add", body), are_tagged)
assert are_tagged(), "a link has no tag"
