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
} from './generated/client'
import * as schemas from './generated/schemas'

// Zod schemas generated from the same document also validate each response.
export const connect: Connect = ({ key, account }) => {
  const withKey = { headers: { authorization: `Bearer ${key}` } }
  return {
    async health() {
      const { data, status } = await getHealth()
      if (status !== 200) throw new Error(data.error)
      return schemas.GetHealthResponse.parse(data).status
    },
    async accounts() {
      const { data, status } = await listAccounts(withKey)
      if (status !== 200) throw new Error(data.error)
      return schemas.ListAccountsResponse.parse(data).data.list.map(({ id }) => id)
    },
    async posts({ limit, before }) {
      const query = schemas.ListPostsQueryParams.parse({ limit, before_publish_time: before })
      const { data, status } = await listPosts(account, query, withKey)
      if (status !== 200) throw new Error(data.error)
      const { list, tailMarker } = schemas.ListPostsResponse.parse(data).data
      return { ids: list.map(({ id }) => id), tailMarker }
    },
    async createPost(text) {
      const { data, status } = await createPost(
        account,
        schemas.CreatePostBody.parse({ text }),
        withKey,
      )
      if (status !== 200) throw new Error(data.error)
      return schemas.CreatePostResponse.parse(data).data.id
    },
    async postText(id) {
      const { data, status } = await getPost(account, id, withKey)
      if (status !== 200) throw new Error(data.error)
      return schemas.GetPostResponse.parse(data).data.rawText
    },
    async deletePost(id) {
      const { data, status } = await deletePost(account, id, withKey)
      if (status !== 200) throw new Error(data.error)
      return schemas.DeletePostResponse.parse(data).data.success
    },
    async amounts(fan, limit) {
      const { data, status } = await listFanTransactions(
        fan,
        { account_ids: [account], limit },
        withKey,
      )
      if (status !== 200) throw new Error(data.error)
      return schemas.ListFanTransactionsResponse.parse(data).data.transactions.map(
        ({ amount }) => amount,
      )
    },
    async spent(fan) {
      const { data, status } = await getFanStats(fan, { account_ids: [account] }, withKey)
      if (status !== 200) throw new Error(data.error)
      return schemas.GetFanStatsResponse.parse(data).data.stats[0]?.total_spend ?? 0
    },
    async listName(list) {
      const { data, status } = await getUserList(account, list, withKey)
      if (status !== 200) throw new Error(data.error)
      return schemas.GetUserListResponse.parse(data).data.name
    },
    async refusal(id) {
      const { data, status } = await getPost(account, id, withKey)
      if (status === 200) throw new Error('The post was answered.')
      return { status, error: data.error }
    },
  }
}
