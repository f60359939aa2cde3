"""Sends a message once: if no response arrives, it looks for the message before it sends it again."""

from api import ACCOUNT, get_all, post, write_once

TEXT = "New photos tomorrow"
chat = get_all(f"/v1/{ACCOUNT}/chats?limit=100")[0]
messages = f"/v1/{ACCOUNT}/chats/{chat['withUser']['id']}/messages"


def is_sent():
    return any(TEXT in message["text"] for message in get_all(f"{messages}?limit=100"))


write_once(lambda: post(messages, {"text": TEXT}), is_sent)
assert is_sent(), "the message is missing"
