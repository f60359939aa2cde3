import { Ajv2020 } from 'ajv/dist/2020.js'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { beforeAll, expect, it, vi } from 'vitest'
import type { DataQuery } from '../../src/control/table-page.ts'
import type { ControlDocument } from '../../src/openapi/control.ts'
import type { OpenApiDocument, Response as ResponseObject } from '../../src/openapi/document.ts'
import { readExampleValues } from '../../src/openapi/examples.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { createFreshSandbox } from '../support/client.ts'
import { createLocalGet } from '../support/control.ts'
import { serveOnFreePort } from '../support/server.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

/** Operations without an example, because their records only exist after another request. */
const withoutExample = [
  'PUT /upload/{world}/{upload_id}/{part_number}',
  'POST /v1/{account_id}/upload/signed/finish',
  'DELETE /v1/{account_id}/messages/{message_id}',
]

let agency: Sandbox
let document: OpenApiDocument
let ajv: Ajv2020
/** Number of times that other tasks ran while the document was being generated. */
let turns = 0

beforeAll(async () => {
  agency = await createFreshSandbox('agency')
  let timer = setImmediate(function count() {
    turns += 1
    timer = setImmediate(count)
  })
  document = await readDocument(agency)
  clearImmediate(timer)
  ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document')
})

async function readDocument(
  sandbox: Sandbox,
  url = '/openapi.json?responses=true',
): Promise<OpenApiDocument> {
  const { body } = await createRouting(new ServedSandbox(sandbox), {}).handle(createLocalGet(url))
  return JSON.parse(String(body)) as OpenApiDocument
}

it('shows a response for each operation that matches its schema, with shortened lists', () => {
  const problems: string[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      const { content, headers = {} } = responses['200'] as ResponseObject
      const silent = Object.entries(headers).filter(([, { example }]) => example === undefined)
      problems.push(...silent.map(([name]) => `${operationId} ${name}: no example`))
      const { example } = content?.['application/json'] ?? { example: null }
      if (content?.['application/json'] === undefined) continue
      if (example === undefined) problems.push(`${operationId}: no example`)
      if (JSON.stringify(example ?? null).length > 20_000) problems.push(`${operationId}: too long`)
      const at = ['responses', '200', 'content', 'application/json', 'schema']
      problems.push(...checkExample(operationId, example, ['paths', path, method, ...at]))
    }
  }

  expect(problems).toEqual([])
})

it('shows bodies and parameters that match their schemas', () => {
  const refused = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
      const place = ['paths', path, method]
      const body = requestBody?.content['application/json']?.example
      const inBody = [...place, 'requestBody', 'content', 'application/json', 'schema']
      return [
        ...parameters.flatMap((parameter, index) =>
          '$ref' in parameter || parameter.example === undefined
            ? []
            : checkExample(`${operationId} ${parameter.name}`, parameter.example, [
                ...place,
                'parameters',
                String(index),
                'schema',
              ]),
        ),
        ...(body === undefined ? [] : checkExample(`${operationId} body`, body, inBody)),
      ]
    }),
  )
  expect(refused).toEqual([])
})

it('has a document of the control plane, which shows responses of each route and no keys', async () => {
  const address = await serveOnFreePort(createApp(agency))
  const text = await (await fetch(`${address}/_sandbox/openapi.json`)).text()
  const { openapi, paths } = JSON.parse(text) as ControlDocument
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const ids = operations.map(({ operationId }) => operationId)
  const silent = operations.filter(({ responses }) =>
    Object.values((responses['200'] as ResponseObject).content ?? {}).some(
      ({ example }) => Object.keys(example ?? {}).length === 0,
    ),
  )

  expect(openapi).toBe('3.1.0')
  expect(paths['/_sandbox/faults']?.['post']?.requestBody).toMatchObject({ required: true })
  expect(ids).toEqual(expect.arrayContaining(['getState', 'moveClock', 'doActions', 'listRecords']))
  expect(new Set(ids).size).toBe(ids.length)
  expect(silent.map(({ operationId }) => operationId)).toEqual([])
  expect(text).not.toContain('sk_sandbox_')
  expect(text.length).toBeLessThan(107_000)
})

it('lets other requests run while it is generated', () => {
  expect(turns).toBeGreaterThan(Object.keys(document.paths).length)
})

it('creates no copies of the sandbox unless responses are requested, and finds the same examples', async () => {
  const sandbox = await createFreshSandbox('agency')
  const fork = vi.spyOn(sandbox, 'fork')
  const plain = await readDocument(sandbox, '/openapi.json')
  expect(fork).not.toHaveBeenCalled()
  const prepared = [...withoutExample, 'GET /media-proxy', 'HEAD /media-proxy']
  const different = Object.entries(plain.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters, requestBody, responses }]) => {
      const complete = document.paths[path]?.[method]
      expect(JSON.stringify(responses)).not.toContain('"example":{"data"')
      return JSON.stringify([parameters, requestBody]) ===
        JSON.stringify([complete?.parameters, complete?.requestBody])
        ? []
        : [`${method.toUpperCase()} ${path}`]
    }),
  )
  expect(different.filter((name) => !prepared.includes(name))).toEqual([])
})

it('reads only the first rows of each table for the examples', async () => {
  const { control } = await createFreshSandbox('agency')
  const queries: DataQuery[] = []
  const read = control.data.bind(control)
  control.data = (table, query = {}) => {
    queries.push(query)
    return read(table, query)
  }
  readExampleValues(control)
  const isScan = ({ limit = 100, filters, contains, sort }: DataQuery) =>
    limit > 10_000 || filters !== undefined || contains !== undefined || sort !== undefined
  expect(queries.length).toBeGreaterThan(10)
  expect(queries.filter(isScan)).toEqual([])
})

it('uses the first connected account with a working session', async () => {
  const sandbox = await createFreshSandbox('agency')
  const [first, second] = sandbox.db.accounts.where({ organisation: 1, connected: true })
  sandbox.act({ type: 'session.lapse', account_id: first!.id })
  const { components } = await readDocument(sandbox, '/openapi.json')
  expect(components.parameters['AccountId']).toMatchObject({ example: second!.id })
})

it('has no example ids if the sandbox has no such record', async () => {
  const sandbox = createSandbox({ scenario: 'empty' })
  const ofEmpty = await readDocument(sandbox, '/openapi.json')
  const post = ofEmpty.paths['/v1/{account_id}/posts/{post_id}']?.['get']?.parameters?.find(
    (parameter) => 'name' in parameter && parameter.name === 'post_id',
  )
  expect(ofEmpty.components.parameters['AccountId']).toHaveProperty('example')
  expect(post).not.toHaveProperty('example')
})

/** Returns the errors of an example, which has its schema at a place in the document. */
function checkExample(name: string, example: unknown, place: readonly string[]): string[] {
  const validate = ajv.getSchema(`document#/${place.map(toPointer).join('/')}`)
  return validate?.(example) === true ? [] : [`${name}: ${ajv.errorsText(validate?.errors)}`]
}

/** Encodes a key as one segment of a JSON pointer in a URL. */
function toPointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}
