import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  createCatalogue,
  findEntry,
  getParameters,
  getRouteName,
} from '../../src/pages/reference/catalogue.ts'
import {
  describeConstraints,
  listFieldGroups,
  getSourceLevel,
  describeType,
} from '../../src/pages/reference/describe-schema.ts'
import type { ApiDocument, JsonSchema } from '../../src/pages/reference/types.ts'

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument
const catalogue = createCatalogue(document)
const { resolve } = catalogue
it('finds an operation by its id, and by its method and path in the form that the console uses', () => {
  const entry = findEntry(catalogue, 'listPosts')
  expect(entry).toMatchObject({ method: 'GET', path: '/v1/{account_id}/posts', group: 'Posts' })
  expect(findEntry(catalogue, 'GET /v1/:account_id/posts')).toBe(entry)
  expect(findEntry(catalogue, 'GET /v1/{account_id}/posts')).toBe(entry)
  expect(findEntry(catalogue, 'GET /v1/nowhere')).toBeUndefined()
  const moved = {
    ...entry!,
    path: '/v1/feed',
    operation: { ...entry!.operation, 'x-route': 'GET /v1/:account_id/posts' },
  }
  expect(findEntry({ ...catalogue, entries: [moved] }, 'GET /v1/:account_id/posts')).toBe(moved)
  for (const each of [entry!, moved]) expect(getRouteName(each)).toBe('GET /v1/:account_id/posts')
})

it('has each operation in one group, and counts the operations of each source', () => {
  const total = catalogue.entries.length
  expect([...catalogue.groups.values()].flat()).toHaveLength(total)
  expect([...catalogue.sources.keys()]).toEqual(['documented', 'published', 'inferred'])
  expect([...catalogue.sources.values()].reduce((sum, count) => sum + count)).toBe(total)
})

it('resolves parameters; keywords next to a reference take precedence', () => {
  const names = getParameters(
    catalogue,
    catalogue.entries.find(({ id }) => id === 'listPosts')!,
  ).map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['account_id', 'limit'])
  expect(resolve({ $ref: '#/components/schemas/Pagination', description: 'Mine.' })).toMatchObject({
    type: 'object',
    description: 'Mine.',
  })
})

it('uses the source of a field, or else that of its container', () => {
  const schema: JsonSchema = { $ref: '#/components/schemas/VaultMediaItem' }
  const [{ fields } = { fields: [] }] = listFieldGroups(schema, resolve)
  const levels = Object.fromEntries(
    fields.map((field) => [field.name, getSourceLevel(field.schema, 'documented', resolve)]),
  )
  expect(levels).toMatchObject({ duration: 'documented', hasError: 'inferred' })
  const list: JsonSchema = {
    type: 'array',
    items: { 'x-source': 'inferred', type: 'object', properties: { a: {} } },
  }
  expect(listFieldGroups(list, resolve, 'documented')[0]?.source).toBe('inferred')
  expect(getSourceLevel({ type: 'string' }, 'published', resolve)).toBe('published')
  expect(getSourceLevel({ type: 'string' }, undefined, resolve)).toBeUndefined()
})

it.each<[JsonSchema, string, string[]]>([
  [{ type: ['string', 'null'], maxLength: 20 }, 'string or null', ['at most 20 characters']],
  [
    { type: 'array', items: { $ref: '#/components/schemas/FeedPost' }, maxItems: 5 },
    'list of FeedPost',
    ['at most 5 items'],
  ],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'list of string', ['each one of "a", "b"']],
  [{ type: 'integer', minimum: 1, maximum: 9, default: 5 }, 'integer', ['1 to 9', 'default 5']],
  [
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' },
    'integer',
    ['at least 0'],
  ],
  [
    {
      anyOf: [
        { type: 'number', const: 0 },
        { type: 'number', minimum: 3, maximum: 200 },
      ],
    },
    'number',
    ['always 0 or 3 to 200'],
  ],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number', []],
  [{ enum: ['x', null] }, 'string or null', ['one of "x", null']],
  [{ type: 'string', format: 'binary' }, 'file', []],
  [{ not: {} }, 'nothing', []],
  [{}, 'anything', []],
])('describes the type of %j', (schema, type, facts) => {
  expect([describeType(schema), describeConstraints(schema, resolve)]).toEqual([type, facts])
})

it('shows the fields of lists, of maps, and of each alternative', () => {
  const object: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  }
  expect(listFieldGroups({ type: 'array', items: object }, resolve)).toEqual([
    {
      label: undefined,
      source: undefined,
      fields: [{ name: 'a', schema: { type: 'string' }, isRequired: true }],
    },
  ])
  expect(
    listFieldGroups({ type: 'object', additionalProperties: object }, resolve)[0]?.fields[0]?.name,
  ).toBe('(any key)')
  expect(listFieldGroups({ anyOf: [object, { type: 'null' }] }, resolve)).toHaveLength(1)
  expect(listFieldGroups({ anyOf: [object, object] }, resolve).map(({ label }) => label)).toEqual([
    'form 1',
    'form 2',
  ])
})
