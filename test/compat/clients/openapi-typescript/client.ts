import createClient from 'openapi-fetch'
import type { Connect } from '../calls'
import type { paths } from './schema'

export const connect: Connect = ({ url, key, account }) => {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } })
  const inPath = { account_id: account }
  const readPost = (id: number) =>
    client.GET('/v1/{account_id}/posts/{post_id}', { params: { path: { ...inPath, post_id: id } } })
  return {
    async health() {
      const { data } = await client.GET('/health')
      return given(data).status
    },
    async accounts() {
      const { data } = await client.GET('/v1/accounts')
      return given(data).data.list.map(({ id }) => id)
    },
    async posts({ limit, before }) {
      const query = { limit, before_publish_time: before }
      const { data } = await client.GET('/v1/{account_id}/posts', {
        params: { path: inPath, query },
      })
      const { list, tailMarker } = given(data).data
      return { ids: list.map(({ id }) => id), tailMarker }
    },
    async createPost(text) {
      const { data } = await client.POST('/v1/{account_id}/posts', {
        params: { path: inPath },
        body: { text },
      })
      return given(data).data.id
    },
    async postText(id) {
      const { data } = await readPost(id)
      return given(data).data.rawText
    },
    async deletePost(id) {
      const { data } = await client.DELETE('/v1/{account_id}/posts/{post_id}', {
        params: { path: { ...inPath, post_id: id } },
      })
      return given(data).data.success
    },
    async amounts(fan, limit) {
      const { data } = await client.POST('/v1/fans/{fan_id}/transactions', {
        params: { path: { fan_id: fan } },
        body: { account_ids: [account], limit },
      })
      return given(data).data.transactions.map(({ amount }) => amount)
    },
    async spent(fan) {
      const { data } = await client.POST('/v1/fans/{fan_id}/stats', {
        params: { path: { fan_id: fan } },
        body: { account_ids: [account] },
      })
      return given(data).data.stats[0]?.total_spend ?? 0
    },
    async listName(list) {
      const { data } = await client.GET('/v1/{account_id}/user-lists/{list_id}', {
        params: { path: { ...inPath, list_id: list } },
      })
      return given(data).data.name
    },
    async refusal(id) {
      const { error, response } = await readPost(id)
      return { status: response.status, error: given(error).error }
    },
  }
}

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The answer was another one.')
  return value
}
