import requests


def read_total(world, key=None):
    """Stands for your client, with an address, a key and an account."""
    answer = requests.get(
        f"{world.url}/v1/{world.account}/earnings/chart",
        params={"by": "total"},
        headers={"Authorization": f"Bearer {key or world.keys['owner']}"},
        timeout=10,
    )
    answer.raise_for_status()
    return answer.json()["data"]["total"]


def test_a_tip_counts_without_fee_and_tax(world):
    before = read_total(world)
    world.act(type="tip", amount=50)
    assert 20 < read_total(world) - before <= 40  # the platform keeps a fifth; the tax is that of the fan's country


def test_another_world_does_not_see_it(world):
    assert world.control("GET", "happenings") == []


def test_a_lapsed_session_is_424(world):
    world.act(type="session.lapse")
    answer = requests.get(
        f"{world.url}/v1/{world.account}/posts", headers={"Authorization": f"Bearer {world.keys['owner']}"}, timeout=10
    )
    assert answer.status_code == 424
