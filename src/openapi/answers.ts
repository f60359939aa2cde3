import { MemoryLimitError } from '../errors.ts'
import type { Control } from '../control/control.ts'
import type { Ask, Call, Rehearsed, Reply, Route } from '../api/route.ts'
import type { OpenApiDocument, Operation, Parameter, Reference, Response } from './document.ts'
import { readKey } from './known.ts'
import { toTemplate } from './operation.ts'
import { pause } from './pause.ts'

/** A copy of the sandbox that can be changed. */
export interface Rehearsal {
  control: Control
  handle: (call: Call) => Promise<Reply>
}

/**
 * Adds the sandbox's answers to the examples of the document. It asks one copy: first all reads,
 * then writes, then deletes. An example that an earlier write broke is asked of a fresh copy. It
 * pauses between two requests.
 */
export async function addAnswers(
  document: OpenApiDocument,
  routes: readonly Route[],
  rehearse: () => Rehearsal,
): Promise<OpenApiDocument> {
  let shared: Rehearsal | undefined
  const answered = new Map<Operation, Operation>()
  for (const exercise of toExercises(document, routes)) {
    await pause()
    const answer =
      (await tryOn(() => (shared ??= rehearse()), exercise, document)) ??
      (await tryOn(rehearse, exercise, document))
    if (answer !== undefined)
      answered.set(exercise.operation, withAnswer(exercise.operation, answer))
  }
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [
        method,
        answered.get(operation) ?? operation,
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Maximum entries of a list in an example. */
const maxEntries = 2

/** Shortens the lists of an example. */
export function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxEntries).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shorten(field)]))
}

interface Exercise {
  method: string
  path: string
  operation: Operation
  rehearse: Route['rehearse']
}

function toExercises({ paths }: OpenApiDocument, routes: readonly Route[]): Exercise[] {
  const byName = new Map(
    routes.map((route) => [`${route.method} ${toTemplate(route.path)}`, route]),
  )
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([lower, operation]) => {
      const method = lower.toUpperCase()
      const route = byName.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
      return { method, path, operation, rehearse: route?.rehearse }
    }),
  )
  const rank = ({ method }: Exercise) =>
    ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  return all.toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length)
}

/** Input that an operation needed beyond its own examples, and the reply. */
interface Answer {
  sent: Rehearsed
  reply: Reply
}

/**
 * Sends the example of an operation to a copy. Undefined if the copy refuses it, a value is
 * unknown, or there is no memory for a copy.
 */
async function tryOn(
  rehearse: () => Rehearsal,
  exercise: Exercise,
  document: OpenApiDocument,
): Promise<Answer | undefined> {
  try {
    const rehearsal = rehearse()
    const account = document.components.parameters['AccountId']?.example
    const rehearsed = exercise.rehearse !== undefined && typeof account === 'number'
    const sent = rehearsed
      ? ((await exercise.rehearse?.({ account, ask: askOf(rehearsal) })) ?? {})
      : {}
    const call = toCall(document, exercise, sent)
    return call && { sent, reply: await send(rehearsal, call) }
  } catch (error) {
    if (error instanceof Refusal || error instanceof MemoryLimitError) return undefined
    throw error
  }
}

/** The copy refused a request. */
class Refusal extends Error {}

type Sendable = Pick<Call, 'method' | 'url'> & { body: unknown }

async function send(
  { control, handle }: Rehearsal,
  { method, url, body }: Sendable,
): Promise<Reply> {
  const key = { 'x-api-key': readKey(control).key }
  const headers: Readonly<Record<string, string>> = {
    ...key,
    ...(isJson(body) ? { 'content-type': 'application/json' } : {}),
  }
  const content =
    body instanceof Uint8Array
      ? { body: null, bytes: body }
      : { body: isJson(body) ? JSON.stringify(body) : null }
  const reply = await handle({ method, url, ...content, header: (name) => headers[name] ?? null })
  if (reply.status !== 200) throw new Refusal(`${method} ${url}: ${reply.status}`)
  return reply
}

function isJson(body: unknown): boolean {
  return body !== undefined && !(body instanceof Uint8Array)
}

function askOf(rehearsal: Rehearsal): Ask {
  return async (schema, { method, address, body }) => {
    const { headers, body: answer } = await send(rehearsal, { method, url: address, body })
    const { data } =
      answer === null ? { data: null } : (JSON.parse(toText(answer)) as { data: unknown })
    return { data: schema.parse(data), headers }
  }
}

/** The example of an operation as a call. Undefined if a required value has no example. */
function toCall(
  { components }: OpenApiDocument,
  { method, path, operation }: Exercise,
  {
    address = {},
    body = operation.requestBody?.content['application/json']?.example as object | undefined,
  }: Rehearsed,
): Sendable | undefined {
  const parameters = (operation.parameters ?? []).flatMap((parameter): Parameter[] => {
    if (!('$ref' in parameter)) return [parameter]
    const shared = components.parameters[parameter.$ref.split('/').at(-1) ?? '']
    return shared === undefined ? [] : [shared]
  })
  const values = new Map(
    parameters.map(({ name, required, example }) => [
      name,
      address[name] ?? (required ? example : undefined),
    ]),
  )
  if (parameters.some(({ name, required }) => required && values.get(name) === undefined))
    return undefined
  if (operation.requestBody !== undefined && body === undefined) return undefined
  const valueOf = (name: string) => encodeURIComponent(String(values.get(name)))
  const query = parameters.flatMap(({ name, in: place }) =>
    place === 'query' && values.get(name) !== undefined ? [`${name}=${valueOf(name)}`] : [],
  )
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
  return { method, url: query.length === 0 ? target : `${target}?${query.join('&')}`, body }
}

function withAnswer(operation: Operation, { sent, reply }: Answer): Operation {
  const { parameters, requestBody } = operation
  const success = operation.responses['200']
  if (success === undefined || '$ref' in success) return operation
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((parameter) => withValue(parameter, sent.address ?? {})) }),
    ...(requestBody === undefined ? {} : { requestBody: withBody(requestBody, sent.body) }),
    responses: { ...operation.responses, 200: withReply(success, reply) },
  }
}

function withValue<Item extends Parameter | Reference>(
  parameter: Item,
  address: Readonly<Record<string, unknown>>,
): Item {
  if ('$ref' in parameter || address[parameter.name] === undefined) return parameter
  return { ...parameter, example: address[parameter.name] }
}

function withBody(
  requestBody: NonNullable<Operation['requestBody']>,
  example: Rehearsed['body'],
): NonNullable<Operation['requestBody']> {
  const content = requestBody.content['application/json']
  if (content === undefined || example === undefined) return requestBody
  return { ...requestBody, content: { 'application/json': { ...content, example } } }
}

function withReply(success: Response, { headers: got, body }: Reply): Response {
  const content = success.content?.['application/json']
  const headers = Object.entries(success.headers ?? {}).map(([name, header]) => {
    const value = got[name.toLowerCase()]
    return [
      name,
      value === undefined
        ? header
        : { ...header, example: header.schema.type === 'integer' ? Number(value) : value },
    ]
  })
  return {
    ...success,
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers) as NonNullable<Response['headers']> }),
    ...(content === undefined || body === null
      ? {}
      : {
          content: {
            'application/json': { ...content, example: shorten(JSON.parse(toText(body))) },
          },
        }),
  }
}

function toText(body: NonNullable<Reply['body']>): string {
  if (typeof body === 'string') return body
  const decoder = new TextDecoder()
  const pieces = body instanceof Uint8Array ? [body] : body
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('')
}
