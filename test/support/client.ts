import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions, Scenario } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { createLazyRouter, createRouteMatcher } from '../../src/api/route-matcher.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { listErrorCodes } from '../../src/openapi/errors.ts'
import { expectUnchangedByParsing } from './expectations.ts'

/** A response in the form that tests use. */
export interface TestResponse {
  status: number
  headers: Headers
  // The tests read bodies of various shapes. The strict schema check below validates them.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Request options besides method and path. `key` is a role name, or null for no key. */
export interface RequestOptions {
  key?: string | null
  headers?: Record<string, string>
  body?: unknown
}

export type Client = Awaited<ReturnType<typeof openClient>>

const seeded = new Map<string, Sandbox>()
const matcher = createRouteMatcher(routes, createLazyRouter(routes))

/**
 * Returns a fork of a shared sandbox, so that tests do not affect each other. With options, creates
 * a new sandbox.
 */
export async function createFreshSandbox(
  scenario = 'solo',
  options?: SandboxOptions<readonly Scenario[]>,
): Promise<Sandbox> {
  if (options !== undefined) {
    const own = createSandbox<readonly Scenario[]>({
      baseUrl: 'https://api.example.test',
      scenario,
      ...options,
    })
    await own.ready
    return own
  }
  const base =
    seeded.get(scenario) ??
    createSandbox<readonly Scenario[]>({ baseUrl: 'https://api.example.test', scenario })
  seeded.set(scenario, base)
  await base.ready
  return base.fork()
}

/**
 * Sends a request with the owner's key. The response is not checked against a schema, so this is
 * for overlays, variations and faults.
 */
export async function sendAsOwner(
  sandbox: Pick<Sandbox, 'baseUrl' | 'fetch'> & { keys: Readonly<Record<string, string>> },
  method: string,
  path: string,
  body?: unknown,
): Promise<Pick<TestResponse, 'status' | 'body'>> {
  const response = await sandbox.fetch(sandbox.baseUrl + path, {
    method,
    headers: { 'x-api-key': sandbox.keys['owner'] ?? '', 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/**
 * Opens a client on a fresh sandbox of a scenario. A path without a leading slash is a path of the
 * first connected account: `posts` is `/v1/{account_id}/posts`. Each successful response is checked
 * strictly against its route's schema.
 */
export async function openClient(scenario?: string, options?: SandboxOptions<readonly Scenario[]>) {
  const sandbox = await createFreshSandbox(scenario, options)
  /** Returns the id of the account with the given username, or of the first connected account. */
  const account = (username?: string): number => {
    const found = sandbox.db.accounts.find(
      username === undefined ? { connected: true } : { username },
    )
    if (found === undefined) throw new Error(`no account ${username}`)
    return found.id
  }
  const resolve = (path: string) => {
    if (path.startsWith('http')) return path
    return sandbox.baseUrl + (path.startsWith('/') ? path : `/v1/${account()}/${path}`)
  }
  const send = async (
    method: string,
    path: string,
    { key = 'owner', headers = {}, body }: RequestOptions = {},
  ): Promise<TestResponse> => {
    const url = resolve(path)
    const response = await sandbox.fetch(url, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${sandbox.keys[key] ?? key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body:
        typeof body === 'string' || body === undefined
          ? (body as string | undefined)
          : JSON.stringify(body),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const isJson =
      bytes.length > 0 &&
      response.headers.get('content-type')?.startsWith('application/json') === true
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : bytes,
    }
    if (isJson) checkShape(sandbox, method, url, answer)
    return answer
  }
  const get = (path: string, sending?: RequestOptions) => send('GET', path, sending)
  const post = (path: string, body?: unknown, sending?: RequestOptions) =>
    send('POST', path, { body, ...sending })
  return {
    sandbox,
    get db() {
      return sandbox.db
    },
    send,
    get,
    post,
    put: (path: string, body?: unknown) => send('PUT', path, { body }),
    patch: (path: string, body?: unknown) => send('PATCH', path, { body }),
    delete: (path: string, body?: unknown) => send('DELETE', path, { body }),
    /** Returns the data of a GET response. */
    getData: async (path: string, sending?: RequestOptions) => (await get(path, sending)).body.data,
    /** Returns the data of a POST response. */
    postData: async (...sending: Parameters<typeof post>) => (await post(...sending)).body.data,
    account,
  }
}

/**
 * Checks that the route declares an error response, and that its body is an API error. Checks that
 * a successful response has the envelope and only the keys in its schema.
 */
function checkShape(
  sandbox: Sandbox,
  method: string,
  url: string,
  { status, body }: TestResponse,
): void {
  if (status >= 400) {
    const { route: id, code } = sandbox.control.requests({ limit: 1 })[0] ?? {}
    const route = routes.find((candidate) => candidate.id === id)
    expect(body).toEqual({ error: expect.any(String) })
    // Faults may return any error.
    if (route !== undefined && code !== null && code !== 'fault_injected')
      expect(listErrorCodes(route), `The declared errors of ${route.id}`).toContain(code)
    return
  }
  const { route } = matcher.match(method, new URL(url).pathname)
  if (route === undefined || route.data === null) return
  const data: unknown = route.accessChecks === 'none' ? body : body.data
  expectUnchangedByParsing(route.data, data, `The answer of ${route.id}`)
  if (route.accessChecks === 'none') return
  expect(body._meta).toEqual({
    _credits: { used: 1 },
    _rate_limits: {
      limit_minute: expect.any(Number),
      remaining_minute: expect.any(Number),
      limit_day: expect.any(Number),
      remaining_day: expect.any(Number),
    },
  })
  expect(Object.keys(body).toSorted()).toEqual([
    '_meta',
    ...(body._pagination === undefined ? [] : ['_pagination']),
    'data',
  ])
}
