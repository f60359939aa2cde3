"""Sends a message once: if no answer comes, it looks for the message before it sends it again."""

from api import ACCOUNT, RequestFailed, get, post

TEXT = "New photos tomorrow"
chat = get(f"/v1/{ACCOUNT}/chats?limit=1")["data"]["list"][0]
messages = f"/v1/{ACCOUNT}/chats/{chat['withUser']['id']}/messages"


def is_sent():
    return any(TEXT in message["text"] for message in get(f"{messages}?limit=10")["data"]["list"])


for attempt in range(3):
    try:
        post(messages, {"text": TEXT})
        break
    except RequestFailed as failure:
        if not failure.is_open:
            raise
        if is_sent():
            break
assert is_sent(), "the message is missing"
