import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readOperations } from '../../scripts/same-answers/operations.ts'
import { fillPath } from '../../scripts/same-answers/path-values.ts'
import { listValidValues } from '../../scripts/same-answers/query-values.ts'
import { appendQuery, baseUrl, sendRequest } from '../../scripts/same-answers/send.ts'
import type { ApiRequest } from '../../scripts/same-answers/send.ts'
import { createValidRequests } from '../../scripts/same-answers/valid-requests.ts'
import type { Context, Route } from '../../src/api/route.ts'
import { readExampleValues } from '../../src/openapi/examples.ts'
import { toPathTemplate } from '../../src/openapi/operation.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox } from '../support/client.ts'

const operations = readOperations()
const lists = 'excludedLists mediaFiles previews rfTag rfPartner rfGuest userIds'.split(' ')
/** Fields that the valid requests leave out. */
const rarelySent: Readonly<Record<string, { query?: object; body?: object }>> = {
  countFanTransactions: { body: { from: '2026-01-01', to: '2026-09-01' } },
  listVaultMedia: { query: { type: 'photo' } },
  updateQueuedMassMessage: {
    body: {
      ...Object.fromEntries(lists.map((name) => [name, []])),
      lockedText: true,
      price: 0,
      giphyId: 'xT9IgzoKnwFNmISR8I',
      filters: {},
      recommenders: {},
    },
  },
}
const taking = routes.filter(
  ({ query, body, fileLimit }) =>
    fileLimit === undefined && getFields(query).length + getFields(body).length > 0,
)

it.each(taking)('uses all fields that $id accepts', async (route) => {
  const sandbox = await createFreshSandbox('agency')
  const { address } = readExampleValues(sandbox.control)(route.examplesOf ?? route.group)
  const template = toPathTemplate(route.path)
  const operation = operations.find(
    ({ method, path }) => method === route.method && path === template,
  )!
  const account = sandbox.db.accounts.find({ connected: true })!.id
  const path = fillPath(operation, { ...address, account_id: account })
  const read = new Set<string>()
  watchFields(route, read)
  const send = (request: ApiRequest) => sendRequest(sandbox.fork(), request)
  const requests = await createValidRequests(sandbox.fork(), operation, { account, most: 1 })
  for (const { url, ...request } of requests) {
    const query = Object.fromEntries(new URL(url, baseUrl).searchParams)
    const more = rarelySent[operation.id]
    const body = request.body && { ...request.body, ...more?.body }
    await send({ ...request, url })
    await send({ ...request, url: appendQuery(path, { ...query, ...more?.query }), body })
    for (const parameter of operation.inQuery)
      for (const value of listValidValues(sandbox, parameter, account))
        await send({ ...request, url: appendQuery(path, { ...query, [parameter.name]: value }) })
  }
  const accepted = [
    ...getFields(route.query).map((field) => `query.${field}`),
    ...getFields(route.body).map((field) => `body.${field}`),
  ]
  const unread = accepted.filter((field) => !read.has(field))
  const excused = Object.keys(route.withoutEffect ?? {})
  expect(
    unread.map((field) => field.replace(/^\w+\./, '')).toSorted(),
    `${route.id} accepts other fields than its handler looks at. Use them, take them out of its ` +
      'schema, or say in `withoutEffect` why they change nothing',
  ).toEqual(excused.toSorted())
})

/** Returns the field names of an object schema. */
function getFields(schema: z.ZodType | null): string[] {
  const inner = schema instanceof z.ZodLazy ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

/** Records which input fields a route's handler reads. */
function watchFields(route: Route, read: Set<string>): void {
  const handle = route.handle.bind(route)
  vi.spyOn(route, 'handle').mockImplementation((context: Context) =>
    handle({
      ...context,
      query: createWatchedInput(context.query, 'query', read),
      body: createWatchedInput(context.body, 'body', read),
    }),
  )
}

function createWatchedInput(input: unknown, place: string, read: Set<string>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return new Proxy(input, {
    get(target, field, receiver) {
      read.add(`${place}.${String(field)}`)
      return Reflect.get(target, field, receiver)
    },
  })
}
