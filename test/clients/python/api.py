"""Requests as a correct client sends them: a read is repeated after a pause, a few times."""

import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ["CREATOR_API_URL"]
KEY = os.environ["CREATOR_API_KEY"]
ACCOUNT = os.environ["CREATOR_API_ACCOUNT"]
MAX_ATTEMPTS = 6


class RequestFailed(Exception):
    def __init__(self, request, status):
        super().__init__(f"{request}: {status or 'no answer'}")
        self.status = status
        self.is_open = status is None or status >= 500  # the service may have carried it out


def send(method, path, body=None):
    """Returns the answer. Raises RequestFailed, with status None if no answer came."""
    request = urllib.request.Request(
        URL + path,
        method=method,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise RequestFailed(f"{method} {path}", error.code) from None
    except OSError:
        raise RequestFailed(f"{method} {path}", None) from None


def send_patiently(method, path, body=None):
    for attempt in range(MAX_ATTEMPTS):
        try:
            return send(method, path, body)
        except RequestFailed as failure:
            can_repeat = failure.status == 429 or (method == "GET" and failure.is_open)
            if not can_repeat or attempt == MAX_ATTEMPTS - 1:
                raise
            time.sleep((1 if failure.status == 429 else 0.2) * 2**attempt)


def get(path):
    return send_patiently("GET", path)


def post(path, body):
    return send_patiently("POST", path, body)
