import type { Sandbox } from 'creator-api-sandbox'
import { createBodies, uploadKey } from './bodies.ts'
import type { Operation } from './operations.ts'
import { fillPath, findPathValues } from './path-values.ts'
import { listValidValues } from './query-values.ts'
import { sendRequest, appendQuery } from './send.ts'
import type { ApiRequest } from './send.ts'
import { findBroadestKey } from './subject.ts'

/**
 * Returns valid requests to an operation of an account, with at most `most` different records and
 * with each of its request bodies. Prepares the sandbox for the operation.
 */
export async function createValidRequests(
  sandbox: Sandbox,
  operation: Operation,
  { account, most }: { account: number; most: number },
): Promise<ApiRequest[]> {
  const key = findBroadestKey(sandbox, account)
  const special = specials[operation.id]
  if (special !== undefined) return await special(sandbox, { operation, account, key })
  const required = requiredQuery[operation.id] ?? []
  const query = Object.fromEntries(
    operation.inQuery
      .filter(({ name }) => required.includes(name))
      .map((parameter) => [parameter.name, listValidValues(sandbox, parameter, account)[0]]),
  )
  return findPathValues(sandbox, operation, { account, most }).flatMap((values, index) =>
    createBodies(sandbox, operation.id, values)
      .slice(0, index === 0 ? undefined : 1)
      .map((body) => ({
        method: operation.method,
        url: appendQuery(fillPath(operation, values), query),
        body,
        key,
      })),
  )
}

/** Names of required query parameters, by operation. */
const requiredQuery: Readonly<Record<string, readonly string[]>> = {
  getFans: ['ids'],
  findVaultMediaByHash: ['h', 'size'],
  searchGifs: ['q'],
  searchMessages: ['query'],
  listScheduledItems: ['start_date', 'end_date', 'timezone'],
  countScheduledItems: ['start_date', 'end_date', 'timezone'],
}

interface About {
  operation: Operation
  account: number
  key: string
}

/** Requests that need values from an earlier response. */
const specials: Readonly<
  Record<string, (sandbox: Sandbox, about: About) => Promise<ApiRequest[]>>
> = {
  getMediaFile: openMedia,
  headMediaFile: openMedia,
  async uploadPart(sandbox, about) {
    const [upload] = await beginUpload(sandbox, about)
    return [{ ...upload!, headers: { 'content-type': 'image/jpeg' } }]
  },
  async finishUpload(sandbox, { account, key, ...about }) {
    const parts = await beginUpload(sandbox, { account, key, ...about })
    const done = await Promise.all(parts.map((part) => sendRequest(sandbox, part)))
    const body = {
      key: uploadKey,
      uploadId: parts[0]?.url.split('/')[3] ?? 'none',
      parts: done.map(({ headers }, index) => ({ ETag: headers.etag, PartNumber: index + 1 })),
    }
    return [{ method: 'POST', url: `/v1/${account}/upload/signed/finish`, body, key }]
  },
}

async function openMedia(
  sandbox: Sandbox,
  { operation, account, key }: About,
): Promise<ApiRequest[]> {
  const url = `/v1/${account}/vault/media?limit=3`
  const { body } = await sendRequest(sandbox, { method: 'GET', url, key })
  const links = [...body.matchAll(/"https:\/\/api\.example\.test(\/media-proxy\?[^"]*)"/g)]
  const { method } = operation
  const asks = links.slice(0, 6).map(([, link = '']): ApiRequest => ({ method, url: link }))
  const ranges = ['bytes=0-99', 'bytes=-5', 'bytes=99999999-']
  return [
    ...asks,
    ...(asks[0] === undefined ? [] : ranges.map((range) => ({ ...asks[0]!, headers: { range } }))),
    { method, url: '/media-proxy?url=https%3A%2F%2Fexample.com%2Ffile.jpg&exp=1790000000&sig=abc' },
  ]
}

/** Starts a new upload that has two parts. Returns the parts. */
async function beginUpload(sandbox: Sandbox, { account, key }: About): Promise<ApiRequest[]> {
  const body = { key: uploadKey, parts: 2, contentType: 'image/jpeg' }
  const url = `/v1/${account}/upload/signed/create`
  const created = await sendRequest(sandbox, { method: 'POST', url, body, key })
  return [...created.body.matchAll(/"https:\/\/api\.example\.test(\/upload\/[^"]*)"/g)].map(
    ([, address = ''], index): ApiRequest => ({
      method: 'PUT',
      url: address,
      body: `part ${index}`,
    }),
  )
}
