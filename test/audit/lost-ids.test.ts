import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

/** Opens a client under the variation `large-ids`, with the ids of a media item and of a fan. */
async function open() {
  const client = await openClient()
  client.sandbox.act({ type: 'variation.set', only: ['large-ids'] })
  const path = `/v1/${client.account()}`
  const read = async (list: string) => (await client.get(`${path}/${list}?limit=1`)).body.data.list
  const [[media], [chat]] = [await read('vault/media'), await read('chats')]
  return { client, path, media: media.id as number, fan: chat.withUser.id as number }
}

const listFindings = async ({ sandbox }: Client) =>
  (await sandbox.audit()).findings.map(({ rule, message }) => `${rule}: ${message}`)

it('finds a truncated id in a body', async () => {
  const { client, path, media } = await open()
  const { status } = await client.post(`${path}/posts`, { text: 'Hi', mediaFiles: [media | 0] })
  expect(status).toBe(400)
  expect(await listFindings(client)).toEqual([
    `id-lost: POST /v1/:account_id/posts was requested with ${media | 0}, but responses ` +
      `contained ${media}: it was truncated to 32 bits.`,
  ])
})

it('finds a truncated id in a query, although the response is only empty', async () => {
  const { client, path, fan } = await open()
  const { status } = await client.get(`${path}/fans?ids=${fan >>> 0}`)
  expect(status).toBe(200)
  expect(await listFindings(client)).toEqual([
    `id-lost: GET /v1/:account_id/fans was requested with ${fan >>> 0}, but responses ` +
      `contained ${fan}: it was truncated to 32 bits.`,
  ])
})

it('accepts complete ids in bodies and queries, also in a refused request', async () => {
  const { client, path, media, fan } = await open()
  await client.get(`${path}/fans?ids=${fan}`)
  await client.post(`${path}/posts`, { text: 'Hi', mediaFiles: [media], price: -1 })
  await client.post(`${path}/posts`, { text: 'Hi', mediaFiles: [media, 987654321] })
  expect((await listFindings(client)).filter((text) => text.startsWith('id-lost'))).toEqual([])
})
