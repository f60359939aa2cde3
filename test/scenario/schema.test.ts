import { readdirSync, readFileSync } from 'node:fs'
import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readShippedScenario } from '../../scripts/generate-scenarios.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { listGrantedPermissions, getDefaultApiKey } from '../../src/api/api-keys.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { loadShippedScenario } from '../../src/scenario/prepare.ts'
import { expandTimeline } from '../../src/scenario/expand-timeline.ts'
import { routes } from '../../src/resources/all-resources.ts'

const folder = new URL('../../scenarios/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
const readYaml = (file: string) => readFileSync(new URL(file, folder), 'utf8')

const good = `
name: mine
now: 2026-10-01T09:30:00Z
organisations:
  - name: Mine
    roles: { owner: ['*'] }
    accounts:
      - { id: 7, username: me, name: Me, data: { posts: 3, fans: 5 } }
`

it.each(files)(
  'generates a module and a header for %s, and links editors to its schema',
  async (file) => {
    const yaml = readYaml(file)
    const scenario = readShippedScenario(file, yaml)
    const shipped = shippedScenarios.find(({ name }) => `${name}.yaml` === file)!
    const { load: _, organisations, durationMs, chapters, isStory, accounts, ...header } = shipped
    const timeline = expandTimeline(scenario.timeline, { start: scenario.now, seed: scenario.seed })
    expect(JSON.stringify(await loadShippedScenario(shipped))).toBe(JSON.stringify(scenario))
    expect(scenario).toMatchObject(header)
    expect([durationMs, chapters]).toEqual([
      timeline.durationMs,
      timeline.chapters.map(({ name }) => name),
    ])
    expect(isStory).toBe(scenario.timeline.length > 0)
    expect(organisations).toEqual(
      scenario.organisations.map(({ name, roles }) => ({ name, roles: Object.keys(roles) })),
    )
    expect(accounts).toEqual(
      scenario.organisations.flatMap((each) =>
        each.accounts.map(({ id, username }) => ({ id, username })),
      ),
    )
    expect(yaml.startsWith('# yaml-language-server: $schema=./scenario.schema.json\n')).toBe(true)
  },
)

it.each(files)('has an owner with all permissions in the first organisation of %s', (file) => {
  const { organisations } = readShippedScenario(file, readYaml(file))
  expect(organisations[0]?.roles['owner']).toEqual(['*'])
})

it('parses a scenario and fills in defaults', async () => {
  const { transcodingSeconds, organisations } = await parseScenario(good, 'mine.yaml')
  expect(transcodingSeconds).toBe(30)
  expect(organisations[0]).toMatchObject({
    limits: { minute: 1000, day: 50_000 },
    credits: null,
    isSubscriptionActive: true,
    tags: [],
  })
  expect(organisations[0]?.accounts[0]).toMatchObject({
    session: 'active',
    connected: true,
    data: { posts: 3, fans: 5, transactions: 0, comments: 'spread', trackingLinks: [] },
  })
})

it.each([
  ['no organisation', /organisations:[^]*/, 'organisations: []', 'at organisations'],
  ['more claimers than fans', 'posts: 3', 'trackingLinks: [{ name: B, claimers: 6 }]', 'Links'],
  ['payments without fans', 'posts: 3, fans: 5', 'transactions: 9', 'accounts.0.data.transactions'],
  ['a start that is not an instant', '2026-10-01T09:30:00Z', 'noon', 'at now'],
  ['a duplicate id', /( {6}- \{ id: 7.*)/, '$1\n$1', 'at organisations'],
  ['a duplicate role', /$/, '  - { name: Other, roles: { owner: [] } }\n', 'at organisations'],
  ['an unknown field', 'name: mine', 'name: mine\nnme: mine', 'Allowed: extends, name, title'],
  ['one of an account', 'name: Me', 'name: Me, nme: Me', '. Allowed: id, username, name, about'],
  ['an unknown size', 'posts: 3', 'post: 3', '. Allowed: texts, equalTimes, posts, scheduledPosts'],
  ['an unknown table', /$/, 'records: { post: [] }\n', '. Allowed: organisations, apiKeys, acc'],
  ['one of a step', /$/, 'timeline: [{ and: 5s }]\n', '. Allowed: at, chapter, note, do, request'],
])('rejects %s in one line, with file, path and known fields', async (_, part, wrong, text) => {
  const yaml = good.replace(part, wrong)
  const parsing = parseScenario(yaml, 'mine.yaml')
  const { message } = (await parsing.catch((thrown: unknown) => thrown)) as Error
  expect(message).toMatch(/\(mine\.yaml:\d+:\d+, at [\w.]+\)/)
  expect(message).toContain(text)
  expect(message).not.toContain('\n')
})

it('rejects invalid YAML, and an invalid shipped scenario', async () => {
  await expect(parseScenario('name: [', 'mine.yaml')).rejects.toThrow('(mine.yaml:1:8)')
  expect(() => readShippedScenario('mine.yaml', good.replace('posts: 3', 'posts: -3'))).toThrow(
    /scenarios\/mine\.yaml[^]*posts/,
  )
  expect(() => readShippedScenario('yours.yaml', good)).toThrow('its name is mine')
})

it('reports the first three mistakes in one line, and the number of further ones', async () => {
  const error = await parseScenario(
    good.replace('posts: 3, fans: 5', 'posts: -3, fan: 5, chat: 1, story: 2'),
    'mine.yaml',
  ).catch((thrown: unknown) => thrown)
  expect((error as Error).message).toMatch(
    /^Failed to read the scenario \(mine\.yaml:8:\d+, at [\w.]+posts\): .* Also \(mine\.yaml:.*fan\): .* Also \(mine\.yaml:.*chat\): .* And 1 more\.$/,
  )
})

it('grants the permissions that match a pattern, unless another pattern takes them away', () => {
  const all = ['api_posts_list', 'api_posts_list_comments', 'api_posts_create']
  expect(listGrantedPermissions(['!*_create', '*'], all)).toEqual(all.slice(0, 2))
  expect(listGrantedPermissions(['api_posts_list', 'posts_create'], all)).toEqual(all.slice(0, 1))
})

it('matches patterns with any number of stars in linear time', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 5 }), (permission, pieces) => {
      const expression = new RegExp(
        `^${pieces.map((piece) => piece.replaceAll('.', '\\.')).join('.*')}$`,
      )
      expect(listGrantedPermissions([pieces.join('*')], [permission])).toEqual(
        expression.test(permission) ? [permission] : [],
      )
    }),
  )
  expect(listGrantedPermissions([`${'*a'.repeat(40)}Q`], ['a'.repeat(200)])).toEqual([])
})

it('lets the analysts of shipped scenarios read, but not write', async () => {
  const permissions = [...new Set(routes.flatMap(({ permission }) => permission ?? []))]
  const writing = new Set(
    routes
      .filter(
        ({ method, path }) =>
          method !== 'GET' &&
          !/^\/v1\/fans(\/:fan_id\/(transactions(\/counts)?|stats))?$/.test(path),
      )
      .map(({ permission }) => permission),
  )
  for (const shipped of shippedScenarios) {
    for (const { roles } of (await loadShippedScenario(shipped)).organisations) {
      if (roles['analyst'] === undefined) continue
      const granted = listGrantedPermissions(roles['analyst'], permissions)
      expect(granted).toContain('api_posts_list')
      expect(granted.filter((permission) => writing.has(permission))).toEqual([])
    }
  }
})

it('has the same key for a role in each scenario', async () => {
  const key = getDefaultApiKey('owner')
  expect(key).toMatch(/^sk_sandbox_owner_[0-9a-f]{24}$/)
  expect(getDefaultApiKey('analyst').slice(-24)).not.toBe(key.slice(-24))
  for (const scenario of ['solo', 'agency', 'bad-day'] as const)
    expect(createSandbox({ scenario, seed: 8 }).keys.owner).toBe(key)
})

it('replaces only the sizes that the options give', async () => {
  const sizesOf = async (data?: { posts: number }) => {
    const { db, ready } = createSandbox({ scenario: 'solo', data })
    await ready
    return {
      posts: db.posts.where({ status: 'published' }).length,
      fans: db.fans.size,
      transactions: db.transactions.size >= 95,
      links: db.trackingLinks.size,
      messages: db.messages.size > 0,
    }
  }
  expect(await sizesOf({ posts: 40 })).toEqual({ ...(await sizesOf()), posts: 40 })
})
