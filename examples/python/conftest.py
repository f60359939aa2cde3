"""A server for all tests, and a world for each."""

import os
import shutil
import subprocess
import uuid

import pytest
import requests

# npx would stand between the tests and the server. With --exit-with-parent the server ends with the tests, even if they
# are killed.
BIN = shutil.which("creator-api-sandbox", path=os.path.join("node_modules", ".bin"))
FLAGS = ["--port", "0", "--scenario", "solo", "--clock", "frozen", "--quiet", "--exit-with-parent"]


class World:
    """An isolated world: changes in it do not affect other tests."""

    def __init__(self, url, name):
        self.url = url
        self.name = name
        made = requests.post(f"{url}/_sandbox/worlds", json={"name": name}, timeout=10)
        assert made.ok, made.text
        world = made.json()
        self.keys = world["keys"]
        self.account = world["accounts"][0]["id"]

    def control(self, method, path, body=None):
        """Sends a request to the control plane (docs/control.md)."""
        answer = requests.request(method, f"{self.url}/_sandbox/{path}", params={"world": self.name}, json=body, timeout=10)
        assert answer.ok, answer.text
        return answer.json()

    def act(self, **action):
        return self.control("POST", "actions", action)


@pytest.fixture(scope="session")
def sandbox_url():
    if "SANDBOX_URL" in os.environ:
        yield os.environ["SANDBOX_URL"]
        return
    assert BIN is not None, "Run npm install creator-api-sandbox here, or set SANDBOX_URL."
    with subprocess.Popen([BIN, *FLAGS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture
def world(sandbox_url):
    world = World(sandbox_url, f"test-{uuid.uuid4().hex[:12]}")
    yield world
    requests.delete(f"{sandbox_url}/_sandbox/worlds/{world.name}", timeout=10)
