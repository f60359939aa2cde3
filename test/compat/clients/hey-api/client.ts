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
import { createClient } from './generated/client'

export const connect: Connect = ({ url, key, account }) => {
  const client = createClient({ baseUrl: url, auth: key })
  const inPath = { account_id: account }
  return {
    async health() {
      const { data } = await getHealth({ client, throwOnError: true })
      return data.status
    },
    async accounts() {
      const { data } = await listAccounts({ client, throwOnError: true })
      return data.data.list.map(({ id }) => id)
    },
    async posts({ limit, before }) {
      const { data } = await listPosts({
        client,
        path: inPath,
        query: { limit, before_publish_time: before },
        throwOnError: true,
      })
      return { ids: data.data.list.map(({ id }) => id), tailMarker: data.data.tailMarker }
    },
    async createPost(text) {
      const { data } = await createPost({
        client,
        path: inPath,
        body: { text },
        throwOnError: true,
      })
      return data.data.id
    },
    async postText(id) {
      const { data } = await getPost({
        client,
        path: { ...inPath, post_id: id },
        throwOnError: true,
      })
      return data.data.rawText
    },
    async deletePost(id) {
      const { data } = await deletePost({
        client,
        path: { ...inPath, post_id: id },
        throwOnError: true,
      })
      return data.data.success
    },
    async amounts(fan, limit) {
      const { data } = await listFanTransactions({
        client,
        path: { fan_id: fan },
        body: { account_ids: [account], limit },
        throwOnError: true,
      })
      return data.data.transactions.map(({ amount }) => amount)
    },
    async spent(fan) {
      const { data } = await getFanStats({
        client,
        path: { fan_id: fan },
        body: { account_ids: [account] },
        throwOnError: true,
      })
      return data.data.stats[0]?.total_spend ?? 0
    },
    async listName(list) {
      const { data } = await getUserList({
        client,
        path: { ...inPath, list_id: list },
        throwOnError: true,
      })
      return data.data.name
    },
    async refusal(id) {
      const { error, response } = await getPost({ client, path: { ...inPath, post_id: id } })
      if (error === undefined || response === undefined) throw new Error('The post was answered.')
      return { status: response.status, error: error.error }
    },
  }
}
