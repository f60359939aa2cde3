import { readFileSync } from 'node:fs'
import type { Sandbox, VariationName } from 'creator-api-sandbox'
import { matchers } from 'creator-api-sandbox/matchers'
import { expect, it, vi } from 'vitest'
import { variationNames } from '../../src/world/variation-choice.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

const quiet = { print: () => {} }

async function open() {
  const sandbox = await createFreshSandbox('solo')
  const account = sandbox.db.accounts.all()[0]!.id
  const get = async (path: string): Promise<Body> => {
    const { status, body } = await sendAsOwner(sandbox, 'GET', path)
    if (status !== 200) throw new Error(`${status}`)
    return body
  }
  return { sandbox, account, get }
}

it('reports that a correct client survives every variation', async () => {
  const { sandbox, account, get } = await open()
  const count = sandbox.db.posts.where({ accountId: account }).length
  const report = async () => {
    const seen = new Set<number>()
    for (let next: string | null | undefined = `/v1/${account}/posts?limit=10`; next;) {
      const page = await get(next)
      for (const { id } of page.data.list) seen.add(id)
      next = page._pagination?.next_page
    }
    if (seen.size === 0 || seen.size > count) throw new Error(`${seen.size} posts`)
  }
  const only = variationNames
  const options = { seeds: 1, delayMs: 2, only, ...quiet }
  const { survived, results } = await sandbox.survive(report, options)
  expect(results.flatMap(({ failures }) => failures)).toEqual([])
  expect(survived).toBe(true)
  const unmet = results.filter(({ met }) => met === 0)
  const names = ['absent-fields', 'null-fields', 'moving-rows', 'error-texts', 'expiring-links']
  expect(unmet.map(({ name }) => name)).toEqual(names)
  expect(unmet.every((result) => result.survived === 0)).toBe(true)
})

/** Clients with a wrong assumption, by the variation that exposes it. */
const wrong: Readonly<Record<string, (client: Awaited<ReturnType<typeof open>>) => Promise<void>>> =
  {
    async 'absent-fields'({ sandbox, account, get }) {
      const { id } = sandbox.db.vaultMedia.where({ accountId: account })[0]!
      const { files } = (await get(`/v1/${account}/vault/media/${id}`)).data
      files.full.width.toFixed()
      files.thumb.height.toFixed()
    },
    async 'unknown-keys'({ account, get }) {
      for (const post of (await get(`/v1/${account}/posts`)).data.list)
        if (Object.keys(post).length !== 16) throw new Error('unknown field')
    },
    async 'key-order'({ account, get }) {
      if (Object.keys(await get(`/v1/${account}/posts`))[0] !== 'data') throw new Error('no data')
    },
    async 'time-forms'({ account, get }) {
      for (const { postedAt } of (await get(`/v1/${account}/posts`)).data.list)
        if (!postedAt.endsWith('+00:00')) throw new Error('bad time')
    },
    async 'large-ids'({ account, get }) {
      const { id } = (await get(`/v1/${account}/posts`)).data.list[0]
      await get(`/v1/${account}/posts/${id | 0}/stats`)
    },
    async 'short-pages'({ account, get }) {
      if ((await get(`/v1/${account}/posts?limit=10`)).data.list.length < 10)
        throw new Error('there must be ten')
    },
    async 'empty-page'({ account, get }) {
      if ((await get(`/v1/${account}/posts?limit=100`)).data.list[0].id === 0)
        throw new Error('no id')
    },
    async 'null-next-page'({ account, get }) {
      const page = await get(`/v1/${account}/posts?limit=100`)
      if ('_pagination' in page) await get(page._pagination.next_page.toString())
    },
    async 'error-texts'({ account, get, sandbox }) {
      const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account}/posts`)
      const { error } = (await response.json()) as { error: string }
      if (!error.includes('key')) await get('/v1/unexpected')
    },
  }

it.each(Object.entries(wrong))(
  'reports that %s breaks a client that depends on it',
  async (name, run) => {
    const client = await open()
    const only = [name as VariationName]
    const options = { seeds: 6, only, ...quiet }
    const { survived } = await client.sandbox.survive(() => run(client), options)
    expect(survived).toBe(false)
  },
)

it('prints a table, and leaves the sandbox unchanged', async () => {
  const { sandbox, account, get } = await open()
  const before = JSON.stringify(sandbox.snapshot())
  sandbox.checkpoint()
  const printed: string[] = []
  const run = async (same: Sandbox) => {
    expect(same).toBe(sandbox)
    const { id } = (await get(`/v1/${account}/posts?limit=1`)).data.list[0]
    if (id > 2 ** 31) throw new Error('id out of range')
    sandbox.act({ type: 'tip', account_id: account })
  }
  const only = ['large-ids', 'expiring-links', 'key-order'] as const
  const print = (text: string) => printed.push(text)
  const { table } = await sandbox.survive(run, { seeds: 3, only, print })
  expect(printed).toEqual([table])
  expect(table).toBe(
    [
      'name            survived       first broken by',
      'key-order       3 of 3',
      'large-ids       0 of 1         seed 1: Error: id out of range',
      'expiring-links  not triggered',
    ].join('\n'),
  )
  expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  expect((await get(`/v1/${account}/posts?limit=1`)).data.list[0].id).toBeLessThan(2 ** 31)
})

it('rejects a function that fails without a variation, or resets the sandbox', async () => {
  const { sandbox } = await open()
  const fail = () => Promise.reject(new TypeError('always'))
  await expect(sandbox.survive(fail, quiet)).rejects.toThrow(
    'the client also fails without variations: TypeError: always',
  )
  await expect(sandbox.survive(() => sandbox.reset(), { seeds: 1, ...quiet })).rejects.toThrow(
    'the function reset or restored the sandbox',
  )
  await expect(sandbox.survive(() => {}, { seeds: 0, ...quiet })).rejects.toThrow('seeds')
  await expect(sandbox.survive(() => sandbox.survive(() => {}, quiet), quiet)).rejects.toThrow(
    'another call of survive is running',
  )
})

it('prints the table that the docs show', async () => {
  const { sandbox, account, get } = await open()
  const count = sandbox.db.posts.where({ accountId: account }).length
  const run = async () => {
    const ids: number[] = []
    let page = await get(`/v1/${account}/posts?limit=10`)
    const keep = () => ids.push(...page.data.list.map(({ id }: { id: number }) => id | 0))
    for (keep(); page.data.list.length === 10; keep()) page = await get(page._pagination.next_page)
    if (ids.length !== shown) throw new Error(`${ids.length} of ${shown} posts`)
    await get(`/v1/${account}/posts/${ids[0]}/stats`).catch(() =>
      Promise.reject(new Error('no statistics')),
    )
  }
  const shown = (await get(`/v1/${account}/posts?limit=100`)).data.list.length
  expect(shown).toBeLessThanOrEqual(count)
  const { table } = await sandbox.survive(run, {
    only: ['large-ids', 'short-pages', 'error-texts', 'bad-gateway'],
    ...quiet,
  })
  const page = readFileSync(new URL('../../docs/variation.md', import.meta.url), 'utf8')
  expect(page).toContain(table)
})

/**
 * Opens a client that posts a tag. After a failure, the client may retry immediately, after a
 * check, or after a pause.
 */
async function openPoster(options: Parameters<typeof createFreshSandbox>[1] = {}) {
  const sandbox = await createFreshSandbox('solo', options)
  const url = `${sandbox.baseUrl}/v1/tags`
  const headers = { 'x-api-key': sandbox.keys.owner, 'content-type': 'application/json' }
  const send = (init: object = {}) => sandbox.fetch(url, { headers, ...init })
  const post = (name: string) => send({ method: 'POST', body: JSON.stringify({ name }) })
  const hasTag = async (name: string) =>
    ((await (await send()).json()) as Body).data.list.some(
      (tag: { name: string }) => tag.name === name,
    )
  return { sandbox, send, post, hasTag }
}

/** Reads a list: all its pages, or only as many as `isLast` allows. */
async function readList(get: (path: string) => Promise<Body>, path: string, isLast?: 'short') {
  const rows: Body[] = []
  for (let next: string | null | undefined = path; next != null;) {
    const page = await get(next)
    rows.push(...page.data.list)
    const isShort = isLast === 'short' && page.data.list.length < 5
    next = isShort ? undefined : page._pagination?.next_page
  }
  return rows
}

it.each(['short-pages', 'bad-gateway'] as const)(
  'compares the returned value with that of the plain run: %s',
  async (name) => {
    const { sandbox, account, get } = await open()
    const feed = `/v1/${account}/posts?limit=5`
    const options = { only: [name], seeds: 3, ...quiet }
    const again = async (path: string) => get(path).catch(() => get(path))
    const right = () => readList(again, feed)
    expect((await sandbox.survive(right, options)).survived).toBe(true)
    const wrong = async () => {
      const rows = await readList(get, feed, 'short').catch(() => [])
      return `${rows.length} posts\nof ${account}`
    }
    const { results, table, note } = await sandbox.survive(wrong, options)
    expect(results[0]).toMatchObject({ survived: 0, reported: 0 })
    expect(results[0]?.failures[0]?.difference).toMatch(
      /^The output differs from the run without changes in line 1:\n- 16 posts\n\+ \d+ posts$/,
    )
    expect(table).toMatch(/seed 1: The output differs .* in line 1: - 16 posts \+ \d+ posts$/)
    expect(note).toBeUndefined()
  },
)

it('ignores _meta, signatures, times, and ids of new records in outputs', async () => {
  const { sandbox, account, get } = await open()
  let runs = 0
  const run = async () => {
    runs += 1
    sandbox.clock.advance(`${runs}h`)
    for (let made = 0; made < runs; made += 1)
      sandbox.act({ type: 'tip', account_id: account, amount: 5 })
    const { body: tag } = await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'new' })
    const media = await get(`/v1/${account}/vault/media?limit=2`)
    return { media, tag, at: sandbox.clock.iso() }
  }
  const { survived, note } = await sandbox.survive(run, { only: ['null-next-page'], ...quiet })
  expect({ survived, note, runs }).toEqual({ survived: true, note: undefined, runs: 3 })
})

it('does not compare an output that differs between two plain runs', async () => {
  const { sandbox, account, get } = await open()
  let runs = 0
  const run = async () => {
    await get(`/v1/${account}/posts?limit=100`)
    return `run ${(runs += 1)}`
  }
  const options = { only: ['null-next-page', 'bad-gateway'] as const, ...quiet }
  const { results, table, note } = await sandbox.survive(run, options)
  expect(note).toBe('output not compared: it is not repeatable')
  expect(table.split('\n').at(-1)).toBe(note)
  expect(results).toMatchObject([{ survived: 1 }, { reported: 1 }])
})

it('finds out later that an output is not repeatable', async () => {
  const { sandbox, account, get } = await open()
  let runs = 0
  const run = async () => {
    await get(`/v1/${account}/posts?limit=100`)
    return (runs += 1) < 3 ? 'early' : 'late'
  }
  const { results, note } = await sandbox.survive(run, { only: ['null-next-page'], ...quiet })
  expect(note).toBe('output not compared: it is not repeatable')
  expect(results).toMatchObject([{ survived: 1, failures: [] }])
})

it('allows fewer rows for a client that shows only the first page of a list', async () => {
  const { sandbox, account, get } = await open()
  const options = { only: ['short-pages', 'empty-page'] as const, seeds: 3, ...quiet }
  const { survived } = await sandbox.survive(
    async () => (await get(`/v1/${account}/posts?limit=5`)).data.list,
    options,
  )
  expect(survived).toBe(true)
  const whole = async () => (await get(`/v1/${account}/posts?limit=100`)).data.list
  const { results } = await sandbox.survive(whole, options)
  expect(results).toMatchObject([{ failures: [{}, {}, {}] }, { failures: [{}] }])
})

it('counts another output that matches expectError as reported', async () => {
  const { sandbox, account, get } = await open()
  const run = () =>
    get(`/v1/${account}/posts`).then(
      ({ data }) => `${data.list.length} posts`,
      () => 'The API is down.',
    )
  const tried = async (expectError?: RegExp) =>
    (await sandbox.survive(run, { only: ['bad-gateway'], expectError, ...quiet })).results[0]
  expect(await tried(/API is down/)).toMatchObject({ survived: 0, reported: 1, failures: [] })
  expect(await tried(/no credits/)).toMatchObject({ reported: 0, failures: [{ findings: [] }] })
  expect(await tried()).toMatchObject({ reported: 0, failures: [{ output: 'The API is down.' }] })
})

it('does not take a usual output for a report, even if it matches expectError', async () => {
  const { sandbox, account, get } = await open()
  const dropsErrors = async () => {
    const rows = await get(`/v1/${account}/posts`).then(
      ({ data }) => data.list.length,
      () => 0,
    )
    return `${rows} posts, errors: 0`
  }
  const options = { only: ['bad-gateway'] as const, expectError: /errors/, ...quiet }
  const { results } = await sandbox.survive(dropsErrors, options)
  expect(results).toMatchObject([{ reported: 0, failures: [{}] }])
})

it('reports a duplicate write, and accepts a correct client that checks first', async () => {
  const { sandbox, post, hasTag } = await openPoster()
  const options = { only: ['lost-answer'], ...quiet } as const
  const wrong = await sandbox.survive(() => post('new').catch(() => post('new')), options)
  const findings = [{ rule: 'repeated-write' }]
  const failures = [{ seed: 1, exitCode: null, output: '', findings }]
  const counts = { runs: 1, met: 1, survived: 0, reported: 0 }
  expect(wrong.results).toMatchObject([
    { name: 'lost-answer', kind: 'bad-day', ...counts, failures },
  ])
  expect(wrong.results[0]?.failures[0]?.requests).toMatchObject([
    { method: 'POST', path: '/v1/tags', status: 0 },
    { method: 'POST', path: '/v1/tags', status: 200 },
  ])
  const look = async () => {
    await post('new').catch(async () => (await hasTag('new')) || post('new'))
  }
  const right = await sandbox.survive(look, options)
  expect(right.results).toMatchObject([{ runs: 1, survived: 1, reported: 0, failures: [] }])
})

it('counts the writes, although the client read something in between', async () => {
  const { sandbox, send, post } = await openPoster()
  const run = () => post('new').catch(() => send().then(() => post('new')))
  const { results } = await sandbox.survive(run, { only: ['lost-answer'], ...quiet })
  expect(results[0]?.failures[0]?.findings).toMatchObject([
    { rule: 'repeated-write', message: expect.stringContaining('2 times'), requests: [1, 3] },
  ])
})

it('reports a lost write that is sent again with another body', async () => {
  const { sandbox, post } = await openPoster()
  let attempts = 0
  const postWithTime = () => post(`Report ${(attempts += 1)}`)
  const options = { only: ['lost-answer', 'late-answer'], lateMs: 3, ...quiet } as const
  const { results } = await sandbox.survive(
    () => postWithTime().catch(() => postWithTime()),
    options,
  )
  const message = expect.stringContaining('another body')
  const findings = [{ rule: 'repeated-write', message, requests: [2] }]
  expect(results).toMatchObject([{ failures: [{ findings }] }, { survived: 1, failures: [] }])
})

it('allows further writes on the same route after a lost one', async () => {
  const { sandbox, post } = await openPoster()
  const run = async () => {
    for (const name of ['one', 'two', 'three']) await post(name).catch(() => {})
  }
  const { results } = await sandbox.survive(run, { only: ['lost-answer'], ...quiet })
  expect(results).toMatchObject([{ survived: 1, failures: [] }])
})

it('allows identical writes that the client also sends in a run without failures', async () => {
  const { sandbox, post } = await openPoster()
  const run = async () => {
    await post('one')
    await post('one')
  }
  const { results } = await sandbox.survive(run, { only: ['large-ids', 'bad-gateway'], ...quiet })
  expect(results.flatMap(({ failures }) => failures)).toEqual([])
})

it('reports more than ten attempts, and a retry without a pause after 429', async () => {
  const { sandbox, send } = await openPoster()
  const hammer = async () => {
    while ((await send()).status === 429);
  }
  const { results } = await sandbox.survive(hammer, { only: ['throttled'], ...quiet })
  const rules = results[0]?.failures[0]?.findings.map(({ rule }) => rule)
  expect(rules).toEqual(['hammering', 'endless-retry'])
})

it('measures the pause after a 429 if a clock has moved', async () => {
  let now = 1_800_000_000_000
  const { sandbox, send } = await openPoster({ realTime: () => now })
  const retry = (pauseMs: number) => async () => {
    now += 1000
    if ((await send()).status !== 429) return
    now += pauseMs
    sandbox.clock.advance(pauseMs)
    if (!(await send()).ok) throw new Error('refused twice')
  }
  const options = { only: ['throttled'], ...quiet } as const
  const { results } = await sandbox.survive(retry(50), options)
  expect(results[0]?.failures[0]?.findings).toMatchObject([
    { rule: 'hammering', message: expect.stringContaining('without a pause') },
  ])
  expect((await sandbox.survive(retry(3000), options)).results[0]?.survived).toBe(1)
})

it('ends a throttled minute after three seconds, and measures pauses in real time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let now = 1_800_000_000_000
    const { sandbox, send } = await openPoster({ realTime: () => now })
    const pause = (ms: number) => {
      now += ms
      vi.advanceTimersByTime(ms)
    }
    const times: string[] = []
    const run = (pauseMs: number) => async () => {
      let { status } = await send()
      for (let attempt = 2; status === 429 && attempt <= 9; attempt += 1) {
        pause(pauseMs)
        times.push(sandbox.clock.iso())
        status = (await send()).status
      }
      if (status !== 200) throw new Error(`status ${status}`)
    }
    const options = { only: ['throttled'] as const, expectError: /status 429/, ...quiet }
    const patient = await sandbox.survive(run(1000), options)
    expect(patient.results).toMatchObject([{ met: 1, survived: 1, reported: 0 }])
    expect(times.length).toBe(3)
    expect(times.at(-1)).toMatch(/:00\.000Z$/)
    const hasty = await sandbox.survive(run(50), options)
    expect(hasty.results[0]?.failures[0]?.findings).toMatchObject([{ rule: 'hammering' }])
    const giveUp = async () => {
      const { status } = await send()
      if (status !== 200) throw new Error(`status ${status}`)
    }
    const given = await sandbox.survive(giveUp, options)
    expect(given.results).toMatchObject([{ survived: 0, reported: 1, failures: [] }])
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  ['key-revoked', 'wrong-key'],
  ['account-disconnected', 'retry-hopeless'],
] as const)('expects that a client stops on the bad day %s', async (name, rule) => {
  const { sandbox, account, get } = await open()
  const paths = ['posts', 'subscribers', 'chats', 'user-lists', 'vault/media', 'vault/lists']
  const options = { only: [name], ...quiet }
  const read = async (path: string) => (await get(`/v1/${account}/${path}`)).data
  const stops = async () => {
    for (const path of [...paths, ...paths]) await read(path)
  }
  const right = await sandbox.survive(stops, options)
  expect(right.results).toMatchObject([{ met: 1, survived: 0, reported: 1, failures: [] }])
  const goesOn = async () => {
    for (const path of [...paths, 'lists', 'campaigns', 'referrals'])
      await read(path).catch(() => [])
  }
  const endless = await sandbox.survive(goesOn, options)
  expect(endless.results).toMatchObject([{ failures: [{ findings: [{ rule }] }] }])
  const neverGivesUp = async () => {
    for (const path of paths.slice(0, 2)) while (!(await read(path).catch(() => null)));
  }
  const stubborn = await sandbox.survive(neverGivesUp, options)
  const rules = stubborn.results[0]?.failures[0]?.findings.map((finding) => finding.rule)
  expect(rules).toContain(rule)
  const hides = async () => {
    const rows = await Promise.all(paths.slice(0, 2).map((path) => read(path).catch(() => null)))
    return rows.filter((row) => row !== null).length
  }
  const hidden = await sandbox.survive(hides, options)
  expect(hidden.results[0]?.failures[0]?.difference).toContain('- 2\n+ 1')
})

it.each(['dropped-read', 'hanging-read', 'html-error'] as const)(
  'finds a client that takes a failed read for an empty list: %s',
  async (name) => {
    const { sandbox, account, get } = await open()
    const options = { only: [name], lateMs: 3, ...quiet }
    const list = () => get(`/v1/${account}/posts`)
    const count = ({ data }: Body) => data.list.length
    const wrong = () => list().then(count, () => 0)
    const { results } = await sandbox.survive(wrong, options)
    expect(results).toMatchObject([{ survived: 0, failures: [{ findings: [] }] }])
    const right = () => list().catch(list).then(count)
    expect((await sandbox.survive(right, options)).results).toMatchObject([{ survived: 1 }])
    const reports = () => list().then(count)
    expect((await sandbox.survive(reports, options)).results).toMatchObject([{ reported: 1 }])
  },
)

it('repeats a row between pages of a list that is read by offset', async () => {
  const { sandbox, account, get } = await open()
  const path = `/v1/${account}/subscribers?limit=3&sort_by=subscribe_date`
  const read = async () => (await readList(get, path)).map(({ id }) => id as number)
  const usual = await read()
  expect(usual.length).toBeGreaterThan(6)
  sandbox.act({ type: 'variation.set', seed: 1, only: ['moving-rows'] })
  const repeated = await read()
  expect([repeated[3], repeated[6]]).toEqual([repeated[2], repeated[5]])
  expect([...new Set(repeated)]).toEqual(usual)
  sandbox.act({ type: 'variation.set', seed: null })
  const options = { only: ['moving-rows', 'short-pages'] as const, seeds: 2, ...quiet }
  const wrong = await sandbox.survive(async () => (await read()).length, options)
  expect(wrong.results).toMatchObject([{ failures: [{}] }, { survived: 2 }])
  const right = await sandbox.survive(async () => new Set(await read()).size, options)
  expect(right.survived).toBe(true)
})

it('on a bad day, only accepts the expected error', async () => {
  const { sandbox, send } = await openPoster()
  const run = async () => {
    const { status } = await send()
    if (status !== 200) throw new Error(`status ${status}`)
  }
  const tried = async (expectError?: RegExp) => {
    const only = ['no-credits'] as const
    const { results } = await sandbox.survive(run, { only, expectError, ...quiet })
    return results[0]
  }
  expect(await tried()).toMatchObject({ survived: 0, reported: 1, failures: [] })
  expect(await tried(/status 402/g)).toMatchObject({ survived: 1, reported: 0, failures: [] })
  expect(await tried(/credit/)).toMatchObject({
    survived: 0,
    failures: [{ output: 'Error: status 402', error: new Error('status 402') }],
  })
})

it('numbers the requests of a run in the order in which they began', async () => {
  let now = Date.UTC(2026, 0)
  const { sandbox, send, post } = await openPoster({ realTime: () => (now += 1) })
  let runs = 0
  // The response of the first request is late, so this request ends after the second one.
  const run = async () => {
    const late = post('late')
    await new Promise(setImmediate)
    await Promise.all([late, send()])
    runs += 1
    if (runs === 2) throw new Error('broken')
  }
  const options = { only: ['late-answer'], lateMs: 100, expectError: /other/, ...quiet } as const
  const { results } = await sandbox.survive(run, options)
  expect(results[0]?.failures[0]?.requests).toMatchObject([
    { id: 1, method: 'POST' },
    { id: 2, method: 'GET' },
  ])
})

it('reports a repetition of a write that the client abandoned', async () => {
  let now = 1_800_000_000_000
  const { sandbox, post } = await openPoster({ realTime: () => (now += 1) })
  const run = async () => {
    let isAnswered = false
    void post('late').then(() => (isAnswered = true))
    for (let turn = 0; turn < 20; turn += 1)
      await new Promise((resolve) => void setImmediate(resolve))
    if (!isAnswered) await post('late')
  }
  const options = { only: ['late-answer'], lateMs: 600_000, ...quiet } as const
  const { results } = await sandbox.survive(run, options)
  expect(results).toMatchObject([{ met: 1, failures: [{ requests: [{ id: 1 }, { id: 2 }] }] }])
  const message = expect.stringMatching(/sent again as request 2, although request 1 .* late/)
  expect(results[0]?.failures[0]?.findings).toMatchObject([
    { rule: 'repeated-write', message, requests: [2] },
  ])
})

it('does not count variations of values that the client never uses', async () => {
  const { sandbox, send } = await openPoster()
  const only = ['lost-answer', 'late-answer', 'lapsed-session'] as const
  const { results } = await sandbox.survive(() => send(), { only, ...quiet })
  const none = { runs: 0, met: 0, survived: 0 }
  expect(results).toMatchObject([none, none, none])
})

it('rejects a function that resets the sandbox on a bad day', async () => {
  const { sandbox, send } = await openPoster()
  let runs = 0
  const reset = async () => {
    await send()
    runs += 1
    if (runs === 2) await sandbox.reset()
  }
  const survival = sandbox.survive(reset, { only: ['bad-gateway-twice'], ...quiet })
  await expect(survival).rejects.toThrow('the function reset or restored the sandbox')
})

it('has a matcher', async () => {
  const { sandbox, post } = await openPoster()
  expect.extend(matchers)
  const options = { only: ['lost-answer'], seeds: 2 } as const
  await expect(sandbox).toSurvive(() => post('new').catch(() => {}), options)
  await expect(
    expect(sandbox).toSurvive(() => post('new').catch(() => post('new')), options),
  ).rejects.toThrow(/Expected the function to survive:\n\nname.*\nlost-answer  0 of 1/)
  await expect(expect({}).toSurvive(() => {})).rejects.toThrow('this world is on a server')
})
