import type { Call, Reply } from '../engine/route.ts'
import type { OpenApiDocument, Operation, Parameter, Response } from './document.ts'

/** A copy of the sandbox that may be written to, and a key to it. */
export interface Rehearsal {
  key: string
  handle: (call: Call) => Promise<Reply>
}

interface Exercise {
  method: string
  path: string
  operation: Operation
}

/** How many entries of a list an example shows. */
const mostEntries = 2

/**
 * Fills in what the sandbox answers to the examples of the document. It asks copies: all questions first, then what writes, then what
 * deletes, so that one copy does for nearly all; whatever one write spoilt for another is asked of a fresh copy.
 */
export async function addAnswers(document: OpenApiDocument, rehearse: () => Rehearsal): Promise<OpenApiDocument> {
  const shared = rehearse()
  const answers = new Map<Operation, unknown>()
  for (const exercise of toExercises(document)) {
    const call = toCall(document, exercise)
    const answer = call && ((await ask(shared, call)) ?? (await ask(rehearse(), call)))
    if (answer !== undefined) answers.set(exercise.operation, answer)
  }
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, withAnswer(operation, answers.get(operation))])),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

function toExercises({ paths }: OpenApiDocument): Exercise[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => (isJson(operation) ? [{ method: method.toUpperCase(), path, operation }] : [])),
  )
  const rank = ({ method }: Exercise) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  return all.toSorted((a, b) => rank(a) - rank(b) || b.path.length - a.path.length)
}

/** The example of an operation as a call; undefined where something that has to be sent has no example. */
function toCall({ components }: OpenApiDocument, { method, path, operation }: Exercise): Omit<Call, 'header'> | undefined {
  const parameters = (operation.parameters ?? []).flatMap((parameter): Parameter[] => {
    if (!('$ref' in parameter)) return [parameter]
    const shared = components.parameters[parameter.$ref.split('/').at(-1) ?? '']
    return shared === undefined ? [] : [shared]
  })
  const needed = parameters.filter(({ required }) => required)
  const body = operation.requestBody?.content['application/json']?.example
  if (needed.some(({ example }) => example === undefined)) return undefined
  if (operation.requestBody !== undefined && body === undefined) return undefined
  const valueOf = (name: string) => encodeURIComponent(String(needed.find((parameter) => parameter.name === name)?.example))
  const query = needed.flatMap((parameter) => (parameter.in === 'query' ? [`${parameter.name}=${valueOf(parameter.name)}`] : []))
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
  return {
    method,
    url: query.length === 0 ? address : `${address}?${query.join('&')}`,
    body: body === undefined ? null : JSON.stringify(body),
  }
}

/** The answer of a copy, made short; undefined where it refuses. */
async function ask({ key, handle }: Rehearsal, call: Omit<Call, 'header'>): Promise<unknown> {
  const headers: Readonly<Record<string, string>> = {
    'x-api-key': key,
    ...(call.body === null ? {} : { 'content-type': 'application/json' }),
  }
  const { status, body } = await handle({ ...call, header: (name) => headers[name] ?? null })
  return status === 200 && body !== null ? shorten(JSON.parse(toText(body))) : undefined
}

function toText(body: NonNullable<Reply['body']>): string {
  if (typeof body === 'string') return body
  const decoder = new TextDecoder()
  const pieces = body instanceof Uint8Array ? [body] : body
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('')
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostEntries).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shorten(field)]))
}

function withAnswer(operation: Operation, example: unknown): Operation {
  const success = operation.responses['200']
  const content = jsonOf(success)
  if (success === undefined || content === undefined || example === undefined) return operation
  const answered = { ...success, content: { 'application/json': { ...content, example } } } as Response
  return { ...operation, responses: { ...operation.responses, 200: answered } }
}

function isJson({ responses }: Operation): boolean {
  return jsonOf(responses['200']) !== undefined
}

function jsonOf(response: Operation['responses'][string] | undefined) {
  return response !== undefined && 'content' in response ? response.content?.['application/json'] : undefined
}
