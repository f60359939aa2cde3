import { readFileSync } from 'node:fs'
import { isValidElement } from 'preact'
import type { VNode } from 'preact'
import { expect, it, vi } from 'vitest'
import { createCatalogue, findEntry } from '../../src/pages/reference/catalogue.ts'
import { findGuide, guides } from '../../src/pages/reference/guides/guides.ts'
import type { GuideSection } from '../../src/pages/reference/guides/guides.ts'
import { listModels } from '../../src/pages/reference/models/models.ts'
import { readPlace, toHash } from '../../src/pages/reference/place.ts'
import { renderInlineMarkup } from '../../src/pages/reference/prose.tsx'
import type { ApiDocument } from '../../src/pages/reference/types.ts'
import { openClient } from '../support/client.ts'

const read = (path: string) =>
  createCatalogue(
    JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as ApiDocument,
  )
const catalogue = read('docs/openapi.json')
const sections = guides.flatMap((guide) =>
  guide.sections.map((section) => [`${guide.id}/${section.id}`, section] as const),
)
const samples = sections.filter(([, { code }]) => code !== undefined)

it('only has links to existing places in the guides', () => {
  const links = sections.flatMap(([, { text }]) =>
    [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, hash = '']) => hash),
  )
  const isKnown = (hash: string) => {
    const { document, section, item = '' } = readPlace(hash)
    if (section === 'guides') return sections.some(([name]) => name === item)
    // The control plane's ids are fixed in its own document.
    return document === 'control' ? item === 'moveClock' : findEntry(catalogue, item) !== undefined
  }
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((hash) => !isKnown(hash))).toEqual([])
})

it('shows the label of each link, also if the label has a line break', () => {
  const labels = sections
    .flatMap(([, { text }]) => renderInlineMarkup(text))
    .filter((part): part is VNode<{ href: string }> => isVNode(part) && part.type === 'a')
    .map(({ props }) => [props.href, toText(props.children)])
  expect(labels.length).toBeGreaterThan(5)
  expect(labels.filter(([href = '', label]) => href === '' || label === '')).toEqual([])
})

const isVNode = (part: unknown): part is VNode => isValidElement(part)
const toText = (children: unknown) => (typeof children === 'string' ? children.trim() : '')

it.each(samples)('runs the code of %s', async (name, { code = '' }: GuideSection) => {
  const client = await openClient('solo')
  const { sandbox } = client
  const id = client.account()
  const { counters } = (await client.get(`/v1/${id}/posts`)).body.data
  const lines: unknown[][] = []
  if (name === 'limits/retry') sandbox.act({ type: 'limits.set', minute: 1 })
  // The second request within a minute is rejected. The pause in the code waits for the next
  // minute.
  const pauses: number[] = []
  const wait = (done: () => void, ms: number) => {
    pauses.push(ms)
    sandbox.clock.advance(ms)
    done()
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(sandbox.clock.now())
  if (name === 'limits/retry') await client.get('/v1/accounts')
  const given = {
    fetch: sandbox.fetch,
    baseUrl: sandbox.baseUrl,
    key: sandbox.keys.owner,
    account: id,
    setTimeout: wait,
    console: { log: (...line: unknown[]) => lines.push(line) },
  }
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given))
  const expected: Record<string, unknown[]> = {
    'authentication/key': [200, expect.objectContaining({ data: expect.anything() })],
    'errors/body': [400, expect.stringContaining('limit')],
    'paging/next-page': [counters.postsCount],
    'limits/retry': [200],
  }
  expect(lines).toEqual([expected[name]])
  expect(pauses.length).toBe(name === 'limits/retry' ? 1 : 0)
})

it('has a URL for each guide, section and model, which it can parse', () => {
  expect(toHash({ document: 'api', section: 'guides', item: 'limits/retry' })).toBe(
    '#guides/limits/retry',
  )
  const places = [
    { document: 'api', section: 'guides', item: 'limits/retry' },
    { document: 'api', section: 'models', item: 'FeedPost' },
    { document: 'api', section: 'models', item: undefined },
    { document: 'control', item: 'moveClock' },
    { document: 'api', item: 'GET /v1/:account_id/posts' },
  ] as const
  for (const place of places) expect(readPlace(toHash(place))).toEqual(place)
  expect(readPlace('#nowhere/x')).toEqual({ document: 'api' })
  expect(findGuide('limits')?.title).toBe('Limits and credits')
  expect(findGuide(undefined)).toBeUndefined()
})

it('lists the operations and the models that use a model', () => {
  const models = listModels(catalogue)
  const { inAnswer, inBody, partOf, fieldNames } = models.get('MessageItem')!
  const idsOf = (entries: typeof inAnswer) => entries.map(({ id }) => id)
  expect(idsOf(inAnswer)).toEqual(expect.arrayContaining(['listMessages', 'sendMessage']))
  expect(inBody).toEqual([])
  expect(partOf).toContain('MessagePage')
  expect(fieldNames.length).toBeGreaterThan(20)
  expect(idsOf(models.get('SendMessageBody')!.inBody)).toEqual(['sendMessage'])
})
