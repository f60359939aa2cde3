"""Adds up fees that may be null."""

from api import ACCOUNT, query

accounts = {"account_ids": [int(ACCOUNT)]}
fan = query("/v1/fans", accounts)["data"]["fans"][0]
page = query(f"/v1/fans/{fan['fan_id']}/transactions", accounts)
print(sum(transaction["fee"] for transaction in page["data"]["transactions"]))
