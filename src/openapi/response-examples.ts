import { MemoryLimitError } from '../errors.ts'
import type { Control } from '../control/control.ts'
import type { SendExampleRequest, Call, ExampleInput, Reply, Route } from '../api/route.ts'
import type { OpenApiDocument, Operation, Parameter, Reference, Response } from './document.ts'
import { findOwnerKey } from './examples.ts'
import { toPathTemplate } from './operation.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { isBytes } from '../lib/realms.ts'

/** A copy of the sandbox that examples may change. */
export interface ExampleSandbox {
  control: Control
  handle: (call: Call) => Promise<Reply>
}

/**
 * Adds the sandbox's responses to the examples of the document. Each write is sent to a new copy,
 * so that examples are independent. Examples that the sandbox rejects are removed. Pauses between
 * requests let other tasks run.
 */
export async function addResponseExamples(
  document: OpenApiDocument,
  routes: readonly Route[],
  createCopy: () => ExampleSandbox,
): Promise<OpenApiDocument> {
  let shared: ExampleSandbox | undefined
  const answered = new Map<Operation, Operation>()
  for (const exercise of toExercises(document, routes)) {
    await yieldToEventLoop()
    const isRead = exercise.method === 'GET' || exercise.method === 'HEAD'
    const copy = () => (isRead ? (shared ??= createCopy()) : createCopy())
    const answer = await sendToCopy(copy, exercise, document)
    const { operation } = exercise
    answered.set(
      operation,
      answer === undefined ? removeExamples(operation) : addExampleResponse(operation, answer),
    )
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

/** Maximum number of list entries in an example. */
const maxEntries = 2

/** Shortens lists in an example. */
export function shortenLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxEntries).map(shortenLists)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortenLists(field)]))
}

interface ExampleOperation {
  method: string
  path: string
  operation: Operation
  prepareExample: Route['prepareExample']
}

function toExercises({ paths }: OpenApiDocument, routes: readonly Route[]): ExampleOperation[] {
  const byName = new Map(
    routes.map((route) => [`${route.method} ${toPathTemplate(route.path)}`, route]),
  )
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([lower, operation]) => {
      const method = lower.toUpperCase()
      const route = byName.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
      return { method, path, operation, prepareExample: route?.prepareExample }
    }),
  )
}

/** Input of an operation, and the sandbox's reply. */
interface ExampleResponse {
  sent: ExampleInput
  /** True if the input refers to records that only exist in the copy. */
  isOfCopy: boolean
  reply: Reply
}

/**
 * Sends an operation's example to a copy. Returns undefined if the copy rejects the example, a
 * value is unknown, or memory is insufficient for a copy.
 */
async function sendToCopy(
  createCopy: () => ExampleSandbox,
  exercise: ExampleOperation,
  document: OpenApiDocument,
): Promise<ExampleResponse | undefined> {
  try {
    const sandboxCopy = createCopy()
    const account = document.components.parameters['AccountId']?.example
    const isPrepared = exercise.prepareExample !== undefined && typeof account === 'number'
    let isOfCopy = false
    const ask: SendExampleRequest = (schema, request) => {
      if (request.method !== 'GET') isOfCopy = true
      return createExampleSender(sandboxCopy)(schema, request)
    }
    const sent = isPrepared ? ((await exercise.prepareExample?.({ account, ask })) ?? {}) : {}
    const call = toCall(document, exercise, sent)
    return call && { sent, isOfCopy, reply: await send(sandboxCopy, call) }
  } catch (error) {
    if (error instanceof ExampleRejectedError || error instanceof MemoryLimitError) return undefined
    throw error
  }
}

/** Thrown if the copy rejects a request. */
class ExampleRejectedError extends Error {}

type ExampleRequest = Pick<Call, 'method' | 'url'> & { body: unknown }

async function send(
  { control, handle }: ExampleSandbox,
  { method, url, body }: ExampleRequest,
): Promise<Reply> {
  const key = { 'x-api-key': findOwnerKey(control).key }
  const headers: Readonly<Record<string, string>> = {
    ...key,
    ...(isJson(body) ? { 'content-type': 'application/json' } : {}),
  }
  const content = isBytes(body)
    ? { body: null, bytes: body }
    : { body: isJson(body) ? JSON.stringify(body) : null }
  const reply = await handle({ method, url, ...content, header: (name) => headers[name] ?? null })
  if (reply.status !== 200) throw new ExampleRejectedError(`${method} ${url}: ${reply.status}`)
  return reply
}

function isJson(body: unknown): boolean {
  return body !== undefined && !isBytes(body)
}

function createExampleSender(sandboxCopy: ExampleSandbox): SendExampleRequest {
  return async (schema, { method, address, body }) => {
    const { headers, body: answer } = await send(sandboxCopy, { method, url: address, body })
    const { data } =
      answer === null ? { data: null } : (JSON.parse(toText(answer)) as { data: unknown })
    return { data: schema.parse(data), headers }
  }
}

/**
 * Converts an operation's example to a call, or returns undefined if a required value has no
 * example.
 */
function toCall(
  { components }: OpenApiDocument,
  { method, path, operation }: ExampleOperation,
  {
    address = {},
    body = operation.requestBody?.content['application/json']?.example as object | undefined,
  }: ExampleInput,
): ExampleRequest | undefined {
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

function addExampleResponse(
  operation: Operation,
  { sent, isOfCopy, reply }: ExampleResponse,
): Operation {
  const { parameters, requestBody } = operation
  const success = operation.responses['200']
  if (success === undefined || '$ref' in success) return operation
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : {
          parameters: parameters.map((parameter) =>
            addExampleValue(parameter, { address: sent.address ?? {}, isOfCopy }),
          ),
        }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: addExampleBody(requestBody, { body: sent.body, isOfCopy }) }),
    responses: { ...operation.responses, 200: addExampleReply(success, reply) },
  }
}

/**
 * Removes the examples of required parameters and of the body, because the sandbox rejected them.
 */
function removeExamples(operation: Operation): Operation {
  const { parameters, requestBody } = operation
  const content = requestBody?.content['application/json']
  const bare = parameters?.map((parameter) => {
    if ('$ref' in parameter || !parameter.required) return parameter
    const { example: _, ...rest } = parameter
    return rest
  })
  return {
    ...operation,
    ...(bare === undefined ? {} : { parameters: bare }),
    ...(requestBody === undefined || content === undefined
      ? {}
      : { requestBody: addExampleBody(requestBody, { body: {}, isOfCopy: true }) }),
  }
}

/**
 * Sets a parameter's example to the value that was sent. Removes the example if the value refers to
 * a record that exists only in the copy.
 */
function addExampleValue<Item extends Parameter | Reference>(
  parameter: Item,
  { address, isOfCopy }: { address: NonNullable<ExampleInput['address']>; isOfCopy: boolean },
): Item {
  if ('$ref' in parameter || address[parameter.name] === undefined) return parameter
  const { example: _, ...rest } = parameter
  return (isOfCopy ? rest : { ...rest, example: address[parameter.name] }) as Item
}

function addExampleBody(
  requestBody: NonNullable<Operation['requestBody']>,
  { body, isOfCopy }: { body: ExampleInput['body']; isOfCopy: boolean },
): NonNullable<Operation['requestBody']> {
  const content = requestBody.content['application/json']
  if (content === undefined || body === undefined) return requestBody
  const { example: _, ...rest } = content
  return {
    ...requestBody,
    content: { 'application/json': isOfCopy ? rest : { ...rest, example: body } },
  }
}

function addExampleReply(success: Response, { headers: got, body }: Reply): Response {
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
            'application/json': { ...content, example: shortenLists(JSON.parse(toText(body))) },
          },
        }),
  }
}

function toText(body: NonNullable<Reply['body']>): string {
  if (typeof body === 'string') return body
  const decoder = new TextDecoder()
  const pieces = isBytes(body) ? [body] : body
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('')
}
