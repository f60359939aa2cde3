import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createCatalogue } from '../../src/pages/reference/catalogue.ts'
import { listModels } from '../../src/pages/reference/models/models.ts'
import { createSearch } from '../../src/pages/reference/search/search.ts'
import type { ApiDocument } from '../../src/pages/reference/types.ts'

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument
const catalogue = createCatalogue(document)
const models = listModels(catalogue)
const search = createSearch(catalogue, { models, hasGuides: true })
const found = (text: string) => search(text).map(({ place }) => place.item)

it.each([
  ['429', 'limits/retry'],
  ['how to retry after 429', 'limits/retry'],
  ['X-API-Key', 'authentication/key'],
  ['next_page', 'paging/next-page'],
  ['how does next_page work', 'paging/next-page'],
  ['credits', 'limits/credits'],
  ['rate limit', 'limits/windows'],
  ['list posts', 'listPosts'],
  ['GET /v1/{account_id}/posts', 'listPosts'],
  ['FeedPost', 'FeedPost'],
  ['POST messages', 'sendMessage'],
  ['post /v1/{account_id}/posts', 'createPost'],
  ['DELETE tags', 'deleteTag'],
  ['chat message', 'listMessages'],
  ['post messages', 'sendMessage'],
  ['post comments', 'listPostComments'],
  ['mass mesage', 'listMassMessages'],
  ['What a chat message holds', 'MessageItem'],
  ['remove tag', 'deleteTag'],
  ['delete post', 'deletePost'],
])('finds first for %j: %s', (text, item) => {
  expect(found(text)[0]).toBe(item)
})

it.each([
  ['mass mesage', 'Mass Messages'],
  ['trackng link', 'Tracking Links'],
])('forgives the typo in %j', (text, group) => {
  expect(search(text)[0]?.note).toBe(group)
})

it.each([
  ['ChatMessage', 'MessageItem'],
  ['mass mesage', 'MassMessageItem'],
  ['POST messages errors', 'sendMessage'],
  ['fan_blocked', 'sendMessage'],
  ['post_locked', 'errors/codes'],
])('finds for %j also %s', (text, item) => {
  expect(found(text)).toContain(item)
})

it.each([
  'message',
  'mass message',
  'mass mesage',
  'posts',
  'chats',
  'tags',
  'vault',
  'post labels',
])('finds no destructive operation first for %j', (text) =>
  expect(search(text)[0]?.entry?.method.toUpperCase()).not.toBe('DELETE'),
)

it.each(['postedAtPrecise', 'what does postedAtPrecise mean'])(
  'opens the field itself for %j, and no guide that mentions it',
  (text) => {
    const [hit] = search(text)
    expect(hit).toMatchObject({ kind: 'model', note: 'field postedAtPrecise' })
    expect(hit?.place).toEqual({ section: 'models', item: `${hit?.title}/postedAtPrecise` })
  },
)

it('names the field if nothing else matches', () => {
  const hit = search('ismediaready').find(({ place }) => place.item === 'listPosts')
  expect(hit?.note).toBe('field isMediaReady')
  expect(found('api_posts_create')[0]).toBe('createPost')
})

it('returns results with some of the words if none has all, and nothing without words', () => {
  expect(found('highlights qqqqqqqq').length).toBeGreaterThan(0)
  expect(found('   ')).toEqual([])
  expect(found('qqqqqqqq')).toEqual([])
})

it('finds no guides in the document of the control plane', () => {
  const other = createSearch(catalogue, { models: new Map(), hasGuides: false })
  expect(other('credits').filter(({ kind }) => kind !== 'operation')).toEqual([])
})
