import type { Sandbox } from 'creator-api-sandbox'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { addExamples } from '../../src/openapi/examples.ts'
import { createOpenApi } from '../../src/openapi/openapi.ts'
import { toPathTemplate } from '../../src/openapi/operation.ts'
import type { SendExampleRequest, Route } from '../../src/api/route.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox } from '../support/client.ts'
import { listParameters, toExampleUrl } from '../support/example-requests.ts'
import { faces } from '../support/hosts.ts'
import type { HostedSandbox } from '../support/hosts.ts'

/** A request that is sent to both sandboxes. */
interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** A sandbox behind a host, or an identical sandbox that is called with `sandbox.fetch`. */
interface ComparedHost extends HostedSandbox {
  sandbox: Sandbox
}

type Sides = readonly [ComparedHost, ComparedHost]

/** An operation to test. */
interface TestedOperation {
  id: string
  method: string
  route: Route
}

/** Headers that HTTP or the server adds. */
const headersOfServers = [
  // Only MSW adds these two, because a DOM test environment applies CORS to mocked responses.
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
]

/**
 * Reads come first, then writes, then deletions, so that later operations find the written records.
 */
const order = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const exercises = routes
  .flatMap((route): TestedOperation[] => [
    { id: route.id, method: route.method, route },
    ...(route.head === true ? [{ id: `HEAD ${route.path}`, method: 'HEAD', route }] : []),
  ])
  .toSorted(
    (a, b) =>
      order.indexOf(a.method) - order.indexOf(b.method) ||
      b.route.path.length - a.route.path.length,
  )

let agency: Sandbox
let document: OpenApiDocument

beforeAll(async () => {
  agency = await createFreshSandbox('agency')
  agency.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  document = addExamples(createOpenApi(routes, { baseUrl: agency.baseUrl }), routes, agency.control)
})

describe.each(['msw', 'express'] as const)('through %s', (name) => {
  it('handles all routes like sandbox.fetch', async () => {
    const sides = await openSides(name)
    const refused = await compare(sides, exercises)
    sides[0].close()
    // Uses a new fork, which still contains the records that earlier writes deleted.
    for (const exercise of refused) {
      const fresh = await openSides(name)
      const failed = (await compare(fresh, [exercise])).map(({ id }) => id)
      expect(failed, 'their examples must succeed: seed a record in agency').toEqual([])
      fresh[0].close()
    }
  })

  it('handles unusual requests like sandbox.fetch', async () => {
    const [side, twin] = await openSides(name)
    const { baseUrl } = twin.sandbox
    for (const [title, { status, ...sent }] of Object.entries(await listOddities(baseUrl))) {
      const answer = await read(twin, sent)
      expect.soft([title, answer.status]).toEqual([title, status])
      expect.soft([title, await read(side, sent)]).toEqual([title, answer])
      expect.soft([title, getJournal(side)[0]]).toEqual([title, getJournal(twin)[0]])
    }
  })
})

/**
 * Sends each request to both sandboxes and requires equal responses. Returns the rejected requests.
 */
async function compare(
  [side, twin]: Sides,
  some: readonly TestedOperation[],
): Promise<TestedOperation[]> {
  const refused: TestedOperation[] = []
  for (const exercise of some) {
    const sent = await exampleFor(side, exercise)
    expect([exercise.id, sent]).toEqual([exercise.id, await exampleFor(twin, exercise)])
    const answer = await read(twin, sent)
    expect([exercise.id, await read(side, sent)]).toEqual([exercise.id, answer])
    if (answer.status !== 200) refused.push(exercise)
  }
  expect(getJournal(side)).toEqual(getJournal(twin))
  return refused
}

/** Opens a fork behind a host, and an identical fork for `sandbox.fetch` with the same base URL. */
async function openSides(name: 'msw' | 'express'): Promise<Sides> {
  const [sandbox, twin] = [agency.fork(), agency.fork()]
  const face = await faces[name](sandbox)
  onTestFinished(face.close)
  twin.baseUrl = sandbox.baseUrl
  return [
    { ...face, sandbox },
    { ...(await faces.fetch(twin)), sandbox: twin },
  ]
}

function send(
  { sandbox, fetch }: ComparedHost,
  { method, path, headers, body }: Sent,
): Promise<Response> {
  return fetch(path.startsWith('http') ? path : `${sandbox.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.keys['owner']}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body as BodyInit | undefined,
  })
}

/** Sends a request and returns the response without the headers added by the host. */
async function read(side: ComparedHost, sent: Sent) {
  const response = await send(side, sent)
  const headers = [...response.headers].filter(([name]) => !headersOfServers.includes(name))
  return {
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(headers),
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

/** Returns the journal without fields that differ between hosts. */
function getJournal({ sandbox }: ComparedHost) {
  return sandbox.requests.map(
    ({ method, path, route, status, credits, code, request, response }) => ({
      method,
      path,
      route,
      status,
      credits,
      code,
      // The server stops reading the body at the size limit.
      sent: status === 413 ? null : request.bytes,
      answered: response.bytes,
    }),
  )
}

/**
 * Returns the document's example for an operation, after sending the requests on which the example
 * depends.
 */
async function exampleFor(side: ComparedHost, { method, route }: TestedOperation): Promise<Sent> {
  const template = toPathTemplate(route.path)
  const operation = document.paths[template]?.[method.toLowerCase()]
  const account = document.components.parameters['AccountId']?.example as number
  const rehearsed = await route.prepareExample?.({ account, ask: createSender(side) })
  const parameters = operation === undefined ? [] : listParameters(document, operation)
  const body = rehearsed?.body ?? operation?.requestBody?.content['application/json']?.example
  return {
    method,
    path: toExampleUrl(template, parameters, rehearsed?.address),
    body: body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body),
  }
}

function createSender(side: ComparedHost): SendExampleRequest {
  return async (schema, { method, address, body }) => {
    const response = await send(side, {
      method,
      path: address,
      body: body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const { data } = text === '' ? { data: null } : (JSON.parse(text) as { data: unknown })
    return { data: schema.parse(data), headers: Object.fromEntries(response.headers) }
  }
}

/** Returns unusual HTTP requests, each with its expected status. */
async function listOddities(baseUrl: string): Promise<Record<string, Sent & { status: number }>> {
  const sandbox = agency.fork()
  sandbox.baseUrl = baseUrl
  const side = { ...(await faces.fetch(sandbox)), sandbox }
  const account = sandbox.db.accounts.find({ connected: true })!.id
  const posts = `/v1/${account}/posts`
  const upload = { key: uploadKey, parts: 2, contentType: 'video/mp4' }
  const begun = { method: 'POST', path: `/v1/${account}/upload/signed/create` }
  const { data } = await (await send(side, { ...begun, body: JSON.stringify(upload) })).json()
  const feed = await (
    await send(side, { method: 'GET', path: `${posts}?media_type=photos&limit=1` })
  ).json()
  const link: string = feed.data.list[0].media[0].files.full.url
  const get = (path: string, headers = {}) => ({ method: 'GET', path, headers })
  const post = (body: string | Uint8Array, headers = {}) => ({
    method: 'POST',
    path: posts,
    body,
    headers,
  })
  const utf8 = (text: string) => new TextEncoder().encode(text)
  const json = { 'content-type': 'application/json' }
  return {
    'the beginning of an upload': { ...begun, body: JSON.stringify(upload), status: 200 },
    'a part larger than any other body': {
      method: 'PUT',
      path: data.keys[0],
      body: new Uint8Array(1_500_000).fill(7),
      status: 200,
    },
    'a part without bytes': { method: 'PUT', path: data.keys[1], status: 400 },
    'no key': { ...get(posts, { authorization: '' }), status: 401 },
    'an unknown key': { ...get(posts, { authorization: 'Bearer wrong' }), status: 401 },
    'a key of its own header': {
      ...get(posts, { authorization: '', 'x-api-key': sandbox.keys['owner']! }),
      status: 200,
    },
    'a key of a world': {
      ...get(posts, { authorization: `Bearer ${sandbox.keys['owner']}~aside` }),
      status: 200,
    },
    'an unknown path': { ...get('/v1/nowhere'), status: 404 },
    'an unknown path without a key': { ...get('/elsewhere', { authorization: '' }), status: 401 },
    'a method that the path has not': { ...get(posts), method: 'PUT', status: 404 },
    'a slash at the end': { ...get(`${posts}/`), status: 404 },
    'a letter in percent encoding': { ...get(`/v1/${account}/p%6Fsts`), status: 200 },
    'percent encoding that is malformed': { ...get(`${posts}/%E0%A4%A`), status: 400 },
    'a parameter that is sent twice': { ...get(`${posts}?limit=1&limit=2`), status: 400 },
    'a parameter of a plus and an umlaut': { ...get(`${posts}?query=a+%C3%BC`), status: 200 },
    'a body in other letters': { ...post('{"text":"Grüße, 你好 🌊"}'), status: 200 },
    'no body': { ...post('', json), status: 400 },
    'a body that is not JSON': { ...post('{'), status: 400 },
    'a body behind a byte order mark': { ...post('\uFEFF{"text":"Hello"}'), status: 400 },
    'a body that is not UTF-8': {
      ...post(Uint8Array.of(...utf8('{"text":"'), 0xff, ...utf8('"}')), json),
      status: 400,
    },
    'a replacement character in UTF-8': { ...post('{"text":"caf\uFFFD"}'), status: 200 },
    'a body in a charset other than UTF-8': {
      ...post('{"text":"Hello"}', { 'content-type': 'application/json; charset=iso-8859-1' }),
      status: 400,
    },
    'a body whose charset is UTF-8': {
      ...post('{"text":"Hello"}', { 'content-type': 'application/json; Charset="UTF-8"' }),
      status: 200,
    },
    'a body that is not said to be JSON': {
      ...post('{"text":"Hello"}', { 'content-type': 'text/plain' }),
      status: 400,
    },
    'a body that is said to be compressed': {
      ...post('{"text":"Hello"}', { 'content-encoding': 'gzip' }),
      status: 400,
    },
    'a body over the limit': { ...post(`{"text":"${'x'.repeat(1_100_000)}"}`), status: 413 },
    'HEAD of /health': { ...get('/health'), method: 'HEAD', status: 200 },
    'HEAD of a route that has none': { ...get(posts), method: 'HEAD', status: 404 },
    'HEAD of a media link': { ...get(link), method: 'HEAD', status: 200 },
    'a media link': { ...get(link), status: 200 },
    'a range of a media link': { ...get(link, { range: 'bytes=2-5' }), status: 206 },
    'a range past the end': { ...get(link, { range: 'bytes=99999999-' }), status: 416 },
    'a media link with another signature': { ...get(`${link}0`), status: 403 },
  }
}

const uploadKey = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/Holiday clip.mp4'
