import { request } from 'node:http'
import { expect, it } from 'vitest'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { listParameters, toExampleUrl } from '../support/example-requests.ts'
import { serveProcess } from '../support/process.ts'

const sentence = /memory limit of \d+ MB/

interface Answered {
  status: number
  text: string
}

function send(
  url: string,
  method: string,
  {
    headers = {},
    body,
  }: { headers?: Record<string, string>; body?: Buffer | string | undefined } = {},
) {
  return new Promise<Answered>((resolve) => {
    const sending = request(url, { method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sending.on('error', () => resolve({ status: 0, text: '' }))
    sending.end(body)
  })
}

const json = { 'content-type': 'application/json' }

async function open(...flags: string[]) {
  const { url } = await serveProcess(...flags)
  const { accounts, keys } = JSON.parse((await send(`${url}/_sandbox/state`, 'GET')).text) as {
    accounts: { id: number }[]
    keys: { key: string; role: string }[]
  }
  const owner = {
    ...json,
    authorization: `Bearer ${keys.find(({ role }) => role === 'owner')!.key}`,
  }
  await send(`${url}/_sandbox/actions`, 'POST', {
    headers: json,
    body: '{"type":"limits.set","minute":1000000000,"day":1000000000}',
  })
  return { url, account: accounts[0]!.id, owner }
}

it('rejects pending uploads that do not fit, and keeps running', async () => {
  const { url, account, owner } = await open('--scenario', 'solo')
  const addresses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const key = `upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/${String(index).padStart(12, '0')}/photo.jpg`
      const body = JSON.stringify({ key, parts: 1, contentType: 'image/jpeg' })
      const { text } = await send(`${url}/v1/${account}/upload/signed/create`, 'POST', {
        headers: owner,
        body,
      })
      return (JSON.parse(text) as { data: { url: string } }).data.url
    }),
  )
  const body = Buffer.alloc(60 * 1024 * 1024)
  const answers = await Promise.all(addresses.map((address) => send(address, 'PUT', { body })))
  expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(10)
  for (const { status, text } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(503)
    expect(text).toMatch(sentence)
  }
  expect((await send(addresses[0]!, 'PUT', { body })).status).toBeLessThan(500)
  expect((await send(`${url}/health`, 'GET')).status).toBe(200)
})

it('does not store the bytes of an upload with an invalid URL', async () => {
  const { url } = await open('--scenario', 'solo', '--max-memory', '64')
  const answer = await send(`${url}/upload/main/unknown/1`, 'PUT', {
    body: Buffer.alloc(60 * 1024 * 1024),
  })
  expect(answer.status).toBe(404)
})

it('rejects posts over HTTP when the memory limit is reached, and still handles reads', async () => {
  const { url, account, owner } = await open('--scenario', 'solo', '--max-memory', '32')
  const body = JSON.stringify({ text: 'x'.repeat(40_000) })
  let last: Answered = { status: 200, text: '' }
  for (let turn = 0; last.status === 200 && turn < 5_000; turn += 1)
    last = await send(`${url}/v1/${account}/posts`, 'POST', { headers: owner, body })
  expect(last.status).toBe(503)
  expect(last.text).toMatch(sentence)
  expect((await send(`${url}/v1/${account}/posts`, 'GET', { headers: owner })).status).toBe(200)
})

it('rejects scenarios with more records than fit, and worlds beyond a limit', async () => {
  const { url } = await open('--scenario', 'solo', '--max-memory', '64')
  const data = { fans: 300, chats: 300, messagesPerChat: 1_000_000 }
  const organisations = [
    { name: 'A', roles: { owner: ['*'] }, accounts: [{ id: 1, username: 'a', name: 'A', data }] },
  ]
  const yaml = JSON.stringify({ name: 'many', now: '2026-10-01T09:00:00Z', organisations })
  const loaded = await send(`${url}/_sandbox/scenario`, 'PUT', {
    headers: json,
    body: JSON.stringify({ yaml }),
  })
  expect(loaded.status).toBe(507)
  expect(loaded.text).toMatch(sentence)
  let last: Answered = { status: 200, text: '' }
  for (let turn = 0; last.status === 200 && turn < 300; turn += 1)
    last = await send(`${url}/_sandbox/worlds`, 'POST')
  // All 256 worlds fit into memory, because worlds share unchanged records. If garbage reaches the
  // memory limit first, fewer worlds fit.
  expect(last.text).toMatch(/There are already 256 isolated worlds|memory limit of 64 MB/)
  expect((await send(`${url}/health`, 'GET')).status).toBe(200)
})

it('accepts all edits of a post, because garbage does not count towards the limit', async () => {
  const { url, account, owner } = await open('--scenario', 'agency', '--max-memory', '128')
  const posts = `${url}/v1/${account}/posts`
  const created = await send(posts, 'POST', { headers: owner, body: '{"text":"First"}' })
  const { id } = (JSON.parse(created.text) as { data: { id: number } }).data
  const refused: Answered[] = []
  for (let edit = 0; edit < 2_000; edit += 1) {
    const body = JSON.stringify({ text: `Edit ${edit} `.repeat(2_000) })
    const answer = await send(`${posts}/${id}`, 'PUT', { headers: owner, body })
    if (answer.status !== 200) refused.push(answer)
  }
  expect(refused).toEqual([])
})

it('handles 10,000 mixed requests to `large` with the default settings', async () => {
  const { url, account, owner } = await open('--scenario', 'large')
  expect((await send(`${url}/_sandbox/`, 'GET')).status).toBe(200)
  const document = await send(`${url}/openapi.json`, 'GET')
  expect(document.status).toBe(200)
  const api = JSON.parse(document.text) as OpenApiDocument
  const reads = Object.entries(api.paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [toExampleUrl(path, listParameters(api, get))],
  )
  const failed: string[] = []
  for (let turn = 0; turn < 10_000; turn += 1) {
    const read = reads[turn % reads.length] ?? ''
    const [method, path, body] =
      turn % 3 === 0
        ? (['POST', `/v1/${account}/posts`, `{"text":"Post ${turn}"}`] as const)
        : (['GET', read, undefined] as const)
    const { status, text } = await send(url + path, method, { headers: owner, body })
    if (status >= 500 || status === 0) failed.push(`${method} ${path}: ${status} ${text}`)
  }
  expect(failed).toEqual([])
})
