import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../../src/openapi/document.ts'
import { groups } from '../../src/openapi/groups.ts'
import { schemaNames } from '../../src/openapi/names.ts'
import { createOpenApi } from '../../src/openapi/openapi.ts'
import { toOperationId, toTemplate } from '../../src/openapi/operation.ts'
import { routes } from '../../src/world/routes.ts'
import { expectSame } from '../support/same.ts'

const document = createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id)
const operationOf = ({ method, path }: { method: string; path: string }): Operation | undefined =>
  document.paths[toTemplate(path)]?.[method.toLowerCase()]

it('has an operation for every route, and HEAD where the route answers it', () => {
  const heads = routes.filter(({ head }) => head === true)

  expect(idsOf(routes.filter((route) => operationOf(route) === undefined))).toEqual([])
  expect(idsOf(heads.filter(({ path }) => operationOf({ method: 'HEAD', path }) === undefined))).toEqual([])
  expect(operations).toHaveLength(routes.length + heads.length)
})

it('gives every operation an id of its own', () => {
  const ids = operations.map(({ operationId }) => operationId)

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

it.each([
  ['GET', '/v1/:account_id/posts', 'getPosts'],
  ['DELETE', '/v1/:account_id/posts/:post_id', 'deletePost'],
  ['GET', '/v1/:account_id/posts/:post_id/stats', 'getPostStats'],
  ['GET', '/v1/:account_id/engagement/posts/:by', 'getEngagementPostsBy'],
  ['GET', '/v1/:account_id/vault/media/:media_id', 'getVaultMediaByMediaId'],
  ['PUT', '/v1/:account_id/notifications/tabs-order', 'putNotificationsTabsOrder'],
  ['POST', '/v1/fans/:fan_id/stats', 'postFanStats'],
])('names %s %s %s', (method, path, id) => {
  expect(toOperationId(method, path)).toBe(id)
})

it.each(routes)('says of $id what the route says', (route) => {
  const operation = operationOf(route)
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const inPath = operation?.parameters?.flatMap((parameter) =>
    '$ref' in parameter ? 'account_id' : parameter.in === 'path' ? parameter.name : [],
  )

  expect(operation?.['x-source']).toBe(route.source.startsWith('reference') ? 'documented' : route.source)
  expect(operation?.description).toContain(`Source: ${operation?.['x-source']}`)
  expect(operation?.['x-permission'] ?? null).toBe(route.permission)
  expect(operation?.['x-kind']).toBe(route.kind)
  expect(operation?.security).toEqual(route.gate === 'none' ? [] : undefined)
  expect(operation?.requestBody !== undefined).toBe(route.body !== null)
  expect(inPath ?? []).toEqual(parameters)
})

it.each(routes.filter(({ gate }) => gate !== 'none'))('lists the refusals of $id', (route) => {
  const statuses = Object.keys(operationOf(route)?.responses ?? {})

  expect(statuses).toEqual(expect.arrayContaining(['200', '401', '402', '403', '404', '429', '500']))
  expect(statuses.includes('400')).toBe(!['GET /v1/accounts', 'GET /v1/tags'].includes(route.id)) // the routes that take no input at all
  expect(statuses.includes('424')).toBe(route.kind === 'relay' && route.path.includes(':account_id'))
  expect(statuses.includes('413')).toBe(route.body !== null)
})

it('marks the shapes that the reference does not show', () => {
  const { PostComment, FeedPost } = document.components.schemas

  expect(PostComment?.['x-source']).toBe('inferred')
  expect(FeedPost?.['x-source']).toBeUndefined()
})

it('marks the fields that the reference does not show in the shapes that it does', () => {
  const { TrackingLinkItem } = document.components.schemas
  const mark = { 'x-source': 'inferred' }
  const body = document.paths['/v1/{account_id}/fans/{user_id}/notes']?.['put']?.requestBody?.content['application/json']?.schema

  expect(TrackingLinkItem).toMatchObject({ properties: { campaignName: mark, cost: { properties: { perSub: mark } } } })
  expect(TrackingLinkItem).not.toMatchObject({ properties: { campaignUrl: mark } })
  expect(TrackingLinkItem).not.toMatchObject({ properties: { cost: mark } })
  expect(body).toMatchObject({ properties: { notice: mark } })
})

it('says of every inferred operation what speaks for it', () => {
  const silent = operations.filter((operation) => operation['x-source'] === 'inferred' && operation['x-evidence'] === undefined)
  const evidence = operations.flatMap((operation) => operation['x-evidence'] ?? [])

  expect(silent.map(({ operationId }) => operationId)).toEqual([])
  expect(evidence.filter((text) => !/reference|sibling service|by analogy|named|known|stands in/.test(text))).toEqual([])
})

it('states the defaults of query parameters', () => {
  const limit = document.paths['/v1/{account_id}/posts']?.['get']?.parameters?.find(
    (parameter) => 'name' in parameter && parameter.name === 'limit',
  )

  expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, default: 10 } })
})

it('describes every group', () => {
  const silent = new Set(routes.map(({ group }) => group).filter((group) => groups[group] === undefined))

  expect(
    [...silent],
    'Describe these groups in the resource.ts of the folder that brings them (groups: { NAME: { about } }), then run npm run generate',
  ).toEqual([])
})

it('names every schema of the wire', async () => {
  const folder = new URL('../../src/resources/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(?:^|[/.])schemas\.ts$/.test(file))
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  const exported = modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => /^[A-Z]/.test(name) && value instanceof z.ZodType)

  expect(
    exported.filter(([, schema]) => !schemaNames.has(schema)).map(([name]) => name),
    'Add the module that exports these to `schemas` in the resource.ts beside it, then run npm run generate',
  ).toEqual([])
})

it('is the same document every time', () => {
  expectSame(JSON.stringify(createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })), JSON.stringify(document), 'the second document')
})

it('names its server', () => {
  expect(createOpenApi(routes, { baseUrl: 'https://api.example.test' }).servers).toMatchObject([{ url: 'https://api.example.test' }])
})
