import type { SandboxOptions, Scenario, SiteOptions } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { toResponse } from '../../src/sandbox/fetch.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import type { Call } from '../../src/api/route.ts'
import { createFreshSandbox } from './client.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

/** Options of a control plane request, besides method and path. */
export interface ControlRequestOptions {
  headers?: Record<string, string | undefined>
  body?: unknown
}

/** A response from the control plane or the API. */
export interface ControlAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  // The tests read bodies of various shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export type ControlClient = Awaited<ReturnType<typeof openControlClient>>

/**
 * Opens the control plane of a fresh sandbox without a server. String bodies are sent unchanged.
 */
export async function openControlClient({
  scenario,
  options,
  site = {},
}: {
  scenario?: string
  options?: SandboxOptions<readonly Scenario[]>
  site?: SiteOptions
} = {}) {
  const sandbox = await createFreshSandbox(scenario, options)
  const { handle } = createRouting(new ServedSandbox(sandbox), site)
  const ask = async (
    method: string,
    path: string,
    { headers = {}, body }: ControlRequestOptions = {},
  ): Promise<ControlAnswer> => {
    const sent: Record<string, string | undefined> = {
      host: '127.0.0.1:4010',
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    }
    const reply = await handle({
      method,
      url: path,
      header: (name) => sent[name] ?? null,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const isJson = reply.headers['content-type']?.startsWith('application/json') === true
    return {
      status: reply.status,
      headers: reply.headers,
      body: isJson ? await toResponse(reply, method).json() : reply.body,
    }
  }
  return {
    sandbox,
    ask,
    /** Returns the body of a successful GET request to the control plane. */
    async read(path: string) {
      const { status, body } = await ask('GET', `/_sandbox/${path}`)
      expect([path, status, body?.error]).toEqual([path, 200, undefined])
      return body
    },
    /** Sends a GET request to the API. @default the key of the owner */
    get: (path: string, key = sandbox.keys['owner']) => ask('GET', path, createBearerHeader(key)),
  }
}

/** Returns the GET request of a page on this machine to a server. */
export function createLocalGet(url: string): Call {
  return {
    method: 'GET',
    url,
    header: (name) => (name === 'host' ? 'localhost' : null),
    body: null,
  }
}

/** Returns what a rejected request is expected to answer: a status and part of its error. */
export function refusal(status: number, text: string | RegExp) {
  const error =
    typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
  return { status, body: { error } }
}

/** Returns the headers of an API request with the given key. */
export function createBearerHeader(key: string | undefined): ControlRequestOptions {
  return { headers: { authorization: `Bearer ${key}` } }
}
