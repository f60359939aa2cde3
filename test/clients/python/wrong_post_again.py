"""Sends a post again when no response arrives, without checking whether it was published."""

from api import ACCOUNT, RequestFailed, post

for attempt in range(3):
    try:
        post(f"/v1/{ACCOUNT}/posts", {"text": "New photos tomorrow"})
        break
    except RequestFailed as failure:
        if attempt == 2 or not failure.is_open:
            raise
