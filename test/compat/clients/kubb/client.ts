import type { Connect } from '../calls'
import {
  createPost,
  deletePost,
  getFanStats,
  getHealth,
  getPost,
  getUserList,
  listAccounts,
  listFanTransactions,
  listPosts,
} from './generated'
import type { ErrorBody } from './generated'

export const connect: Connect = ({ key, account }) => {
  const withKey = {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  }
  return {
    async health() {
      const { data } = await getHealth()
      return data.status
    },
    async accounts() {
      const { data } = await listAccounts(withKey)
      return data.data.list.map(({ id }) => id)
    },
    async posts({ limit, before }) {
      const { data } = await listPosts(account, { limit, before_publish_time: before }, withKey)
      return { ids: data.data.list.map(({ id }) => id), tailMarker: data.data.tailMarker }
    },
    async createPost(text) {
      const { data } = await createPost(account, { text }, withKey)
      return data.data.id
    },
    async postText(id) {
      const { data } = await getPost(account, id, withKey)
      return data.data.rawText
    },
    async deletePost(id) {
      const { data } = await deletePost(account, id, withKey)
      return data.data.success
    },
    async amounts(fan, limit) {
      const { data } = await listFanTransactions(fan, { account_ids: [account], limit }, withKey)
      return data.data.transactions.map(({ amount }) => amount)
    },
    async spent(fan) {
      const { data } = await getFanStats(fan, { account_ids: [account] }, withKey)
      return data.data.stats[0]?.total_spend ?? 0
    },
    async listName(list) {
      const { data } = await getUserList(account, list, withKey)
      return data.data.name
    },
    async refusal(id) {
      // The type covers only successful responses.
      const { data, status } = await getPost(account, id, withKey)
      return { status, error: (data as unknown as ErrorBody).error }
    },
  }
}
