"""Adds up fees that may be null."""

from api import ACCOUNT, post

accounts = {"account_ids": [int(ACCOUNT)]}
fan = post("/v1/fans", accounts)["data"]["fans"][0]
page = post(f"/v1/fans/{fan['fan_id']}/transactions", accounts)
print(sum(transaction["fee"] for transaction in page["data"]["transactions"]))
