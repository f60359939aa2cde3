import type { Sandbox } from 'creator-api-sandbox'
import { readResponse } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/** A request to the API. */
export interface ApiRequest {
  method: string
  /** Path and query. */
  url: string
  /** Request body. A string is sent unchanged, and any other value is sent as JSON. */
  body?: unknown
  /** Absent: without a key. */
  key?: string
  headers?: Record<string, string>
}

export const baseUrl = 'https://api.example.test'

/** Sends a request in process and returns its response or its error. */
export async function sendRequest(
  sandbox: Sandbox,
  { method, url, body, key, headers = {} }: ApiRequest,
): Promise<Exchange> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const label = `${method} ${url}${text === undefined ? '' : ` ${text.slice(0, 2000)}`}`
  const all: Record<string, string> = { ...headers }
  if (key !== undefined) all.authorization = `Bearer ${key}`
  if (text !== undefined) all['content-type'] ??= 'application/json'
  try {
    const response = await sandbox.fetch(`${baseUrl}${url}`, { method, headers: all, body: text })
    return await readResponse(label, response)
  } catch (error) {
    return { request: label, status: 0, headers: {}, body: String(error) }
  }
}

/** Sends requests one after the other. */
export async function sendAll(sandbox: Sandbox, asks: readonly ApiRequest[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const ask of asks) exchanges.push(await sendRequest(sandbox, ask))
  return exchanges
}

/** Appends a query to a path. */
export function appendQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
  return text === '' ? path : `${path}?${text}`
}
