import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { errorCatalogue } from '../../src/error-catalogue.ts'
import type { ErrorCode } from '../../src/error-catalogue.ts'
import type { Operation } from '../../src/openapi/document.ts'
import { createErrorExample } from '../../src/openapi/errors.ts'
import { groups } from '../../src/openapi/examples.ts'
import { schemaNames } from '../../src/openapi/schemas.ts'
import { createOpenApi } from '../../src/openapi/openapi.ts'
import { givenIds } from '../../src/openapi/operation-id.ts'
import { toPathTemplate } from '../../src/openapi/operation.ts'
import type { JsonSchema } from '../../src/openapi/schemas.ts'
import { routes } from '../../src/resources/all-resources.ts'

const document = createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id)
const operationOf = ({ method, path }: { method: string; path: string }): Operation | undefined =>
  document.paths[toPathTemplate(path)]?.[method.toLowerCase()]
const idsOfOperations = (some: readonly Operation[]) => some.map(({ operationId }) => operationId)
const parameterOf = (path: string, name: string): unknown =>
  document.paths[path]?.['get']?.parameters?.flatMap((parameter) =>
    'name' in parameter && parameter.name === name ? [parameter.schema] : [],
  )[0]

/** Yields each object in the document with its path. */
function* walk(node: unknown, place: string): Generator<[string, object]> {
  if (typeof node !== 'object' || node === null) return
  yield [place, node]
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${place}/${key}`)
}

it('has an operation for each route, and HEAD if the route supports it', () => {
  const heads = routes.filter(({ head }) => head === true)

  expect(idsOf(routes.filter((route) => operationOf(route) === undefined))).toEqual([])
  expect(
    idsOf(heads.filter(({ path }) => operationOf({ method: 'HEAD', path }) === undefined)),
  ).toEqual([])
  expect(operations).toHaveLength(routes.length + heads.length)
})

it('keeps the ids of operations, because generated clients use them as names', async () => {
  const lines = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    ),
  )

  await expect(
    `${lines.toSorted().join('\n')}\n`,
    'vitest -u updates the list',
  ).toMatchFileSnapshot('./operation-ids.txt')
})

it('starts the id of each operation with a verb', () => {
  const verbs =
    /^(add|archive|attach|block|cancel|clear|count|create|delete|find|finish|get|head|hide|like|list|mark|mute|pin|publish|rank|remove|report|request|restrict|search|send|set|show|sort|un(archive|block|like|mute|pin|restrict|send)|update|upload)(?=[A-Z])/

  expect(operations.map(({ operationId }) => operationId).filter((id) => !verbs.test(id))).toEqual(
    [],
  )
})

it('has manual ids only for routes that exist', () => {
  const known = new Set(
    routes.flatMap(({ id, path, head }) => (head === true ? [id, `HEAD ${path}`] : [id])),
  )

  expect(Object.keys(givenIds).filter((id) => !known.has(id))).toEqual([])
})

it('names the schema of each body', () => {
  const inline = operations.filter(({ requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema !== undefined && schema.$ref === undefined
  })

  expect(idsOfOperations(inline)).toEqual([])
})

it('has no defaults in bodies: generators would require the field, and PUT and PATCH keep values', () => {
  const nodesOf = (some: readonly Operation[]) => {
    const own = some.flatMap(({ requestBody }) => [...walk(requestBody, '')])
    const named = own.flatMap(([, node]) => ('$ref' in node ? [String(node.$ref)] : []))
    return named.flatMap((name) => [
      ...walk(document.components.schemas[name.split('/').at(-1) ?? ''], name),
    ])
  }
  const changing = Object.values(document.paths).flatMap(({ put, patch }) => [
    put ?? [],
    patch ?? [],
  ])
  const described = nodesOf(changing.flat()).filter(
    ([, node]) => 'description' in node && /\bDefault: /.test(String(node.description)),
  )
  const found = nodesOf(operations).filter(([, node]) => 'default' in node)

  expect(nodesOf(changing.flat()).length).toBeGreaterThan(50)
  expect([...described, ...found]).toEqual([])
})

it('avoids schemas that generators cannot read', () => {
  const found = [...walk(document.paths, ''), ...walk(document.components, 'components')].flatMap(
    ([place, schema]) => {
      const { type, $ref, anyOf, oneOf, format, maximum, pattern } = schema as JsonSchema
      const isMixed = Array.isArray(type) && type.filter((one) => one !== 'null').length > 1
      const isBoth = type !== undefined && (anyOf !== undefined || oneOf !== undefined)
      const isOverlaid =
        $ref !== undefined &&
        Object.keys(schema).some((key) => !['$ref', 'description', 'summary'].includes(key))
      const isWide = type === 'integer' && format !== 'int64' && (maximum ?? Infinity) >= 2 ** 31
      const isEscaped = typeof pattern === 'string' && pattern.includes('\\/')
      return isMixed || isBoth || isOverlaid || isWide || isEscaped ? [place] : []
    },
  )

  expect(found).toEqual([])
})

it('declares the limits that the rules enforce, and defaults', () => {
  const { SendMessageBody, PayoutRequestBody, UploadKey } = document.components.schemas
  const free = { type: 'number', const: 0 }

  expect(SendMessageBody?.properties?.['price']).toMatchObject({
    anyOf: [free, { type: 'number', minimum: 3, maximum: 200 }],
  })
  expect(SendMessageBody?.properties?.['mediaFiles']).toMatchObject({ uniqueItems: true })
  expect(PayoutRequestBody?.properties?.['amount']).toMatchObject({ minimum: 20, maximum: 50_000 })
  expect(UploadKey?.pattern).toMatch(/^\^upload\/\[/)
  expect(parameterOf('/v1/{account_id}/subscribers/top', 'offset')).toMatchObject({
    multipleOf: 10,
  })
  expect(parameterOf('/v1/{account_id}/posts', 'limit')).toMatchObject({ minimum: 1, default: 10 })
  expect(parameterOf('/v1/{account_id}/posts/{post_id}', 'post_id')).toMatchObject({
    format: 'int64',
    maximum: Number.MAX_SAFE_INTEGER,
  })
  expect(parameterOf('/v1/{account_id}/user-lists/{list_id}', 'list_id')).not.toHaveProperty('type')
})

it.each(routes)('describes $id like its route', (route) => {
  const operation = operationOf(route)
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const inPath = operation?.parameters?.flatMap((parameter) =>
    '$ref' in parameter ? 'account_id' : parameter.in === 'path' ? parameter.name : [],
  )

  expect(operation?.['x-source']).toBe(
    route.source.startsWith('reference') ? 'documented' : route.source,
  )
  expect(operation?.description).toContain(`Source: ${operation?.['x-source']}`)
  expect(operation?.['x-permission'] ?? null).toBe(route.permission)
  expect(operation?.['x-kind']).toBe(route.kind)
  expect(operation?.security).toEqual(route.accessChecks === 'none' ? [] : undefined)
  expect(operation?.requestBody !== undefined).toBe(route.body !== null)
  expect(inPath ?? []).toEqual(parameters)
})

it.each(routes.filter(({ accessChecks }) => accessChecks !== 'none'))(
  'lists the errors of $id',
  (route) => {
    const statuses = Object.keys(operationOf(route)?.responses ?? {})

    expect(statuses).toEqual(
      expect.arrayContaining(['200', '401', '402', '403', '404', '429', '5XX']),
    )
    expect(statuses.includes('400')).toBe(!['GET /v1/accounts', 'GET /v1/tags'].includes(route.id)) // routes without input
    expect(statuses.includes('424')).toBe(
      route.kind === 'relay' && route.path.includes(':account_id'),
    )
    expect(statuses.includes('413')).toBe(route.body !== null)
  },
)

it('marks the schemas and fields that the reference does not show', () => {
  const { PostComment, FeedPost, TrackingLinkItem, SetFanNoticeBody } = document.components.schemas
  const mark = { 'x-source': 'inferred' }

  expect(PostComment).toMatchObject(mark)
  expect(FeedPost).not.toMatchObject(mark)
  expect(TrackingLinkItem).toMatchObject({
    properties: { campaignName: mark, cost: { properties: { perSub: mark } } },
  })
  expect(TrackingLinkItem).not.toMatchObject({ properties: { campaignUrl: mark } })
  expect(TrackingLinkItem).not.toMatchObject({ properties: { cost: mark } })
  expect(SetFanNoticeBody).toMatchObject({ properties: { notice: mark } })
})

it('contains the evidence for each inferred operation', () => {
  const silent = operations.filter(
    (operation) => operation['x-source'] === 'inferred' && operation['x-evidence'] === undefined,
  )
  const evidence = operations.flatMap((operation) => operation['x-evidence'] ?? [])

  expect(silent.map(({ operationId }) => operationId)).toEqual([])
  expect(
    evidence.filter(
      (text) =>
        !/reference|sibling service|by analogy|named|known|our guess|replaces the storage/.test(
          text,
        ),
    ),
    'Say in the evidence what the guess is based on: the reference, or an analogy',
  ).toEqual([])
})

it('describes each group', () => {
  const silent = new Set(
    routes.map(({ group }) => group).filter((group) => groups[group] === undefined),
  )

  expect(
    [...silent],
    'Describe these groups in the resource.ts of the folder that brings them (groups: { NAME: { about } }), then run npm run generate',
  ).toEqual([])
})

it('names each schema of the API', async () => {
  const folder = new URL('../../src/resources/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:^|[/.])schemas\.ts$/.test(file),
  )
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(new URL(file, folder).href)),
  )
  const exported = modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => /^[A-Z]/.test(name) && value instanceof z.ZodType)

  expect(
    exported.filter(([, schema]) => !schemaNames.has(schema)).map(([name]) => name),
    'Add the module that exports these to `schemas` in the resource.ts beside it, then run npm run generate',
  ).toEqual([])
})

it('lists the errors of each operation, each with an example of its body', () => {
  const exampleOf = (status: string, response: unknown, code: string) => {
    const { $ref = '' } = response as { $ref?: string }
    const name = $ref.split('/').at(-1) ?? ''
    const content = document.components.responses[name]?.content
    return [status, content?.['application/json']?.examples?.[code]?.value]
  }
  const missing = operations.flatMap(({ operationId, 'x-errors': codes, responses }) =>
    codes.filter(
      (code) =>
        !operationId.startsWith('head') &&
        !Object.entries(responses).some(
          ([status, response]) => exampleOf(status, response, code)[1] !== undefined,
        ),
    ),
  )
  expect(missing).toEqual([])
  const send = document.paths['/v1/{account_id}/chats/{user_id}/messages']?.['post']
  expect(send?.['x-errors']).toEqual(
    expect.arrayContaining(['permission_missing', 'account_unknown', 'fan_blocked']),
  )
  expect(exampleOf('429', send?.responses['429'], 'minute_limit')).toEqual([
    '429',
    { error: 'Rate limit exceeded: 1000 requests per minute for this organisation.' },
  ])
})

it('declares all errors that the handler of a route throws, and fills in all examples', () => {
  const declared = new Set(operations.flatMap((operation) => operation['x-errors']))
  // Statuses that any route can return because of a fault, an overlay or a full server.
  const general = ['fault_injected', 'overlaid', 'worlds_full']
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  expect(codes.filter((code) => !declared.has(code)).toSorted()).toEqual(general.toSorted())
  expect(
    codes.filter((code) => /[{}]/.test(createErrorExample(code).error.replace('{id}', ''))),
  ).toEqual([])
})
