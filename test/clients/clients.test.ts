import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rules } from '../../src/audit/rules.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { trialNames } from '../../src/variation/variation.ts'
import { correctClients, smallClients, wrongClients } from './list.ts'
import { smallWrongClients } from './small.ts'
import { describeClient, openClientRun, surviveOptions } from './run.ts'

const wrong = Object.entries(wrongClients)
// clients.long.test.ts also runs the clients in Python, each in a process.
const isInProcess = (file: string) => !file.endsWith('.py')

for (const [file, { under, rules: expected = [], pause }] of wrong.filter(([name]) =>
  isInProcess(name),
))
  it(`finds ${file} by ${[under, ...expected].filter(Boolean).join(', ')}`, async () => {
    using client = await openClientRun(file, pause)
    if (under === undefined) {
      await client.run()
      const { findings } = await client.sandbox.audit()
      expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...expected]))
      return
    }
    const { results } = await client.sandbox.survive(client.run, {
      ...surviveOptions,
      only: [under],
      seeds: 3,
    })
    const failures = results.flatMap((result) => result.failures)
    expect(failures.length).toBeGreaterThan(0)
    const found = failures.flatMap(({ findings }) => findings.map(({ rule }) => rule))
    expect(found).toEqual(expect.arrayContaining([...expected]))
  })

for (const file of correctClients.filter(isInProcess))
  it(`reports nothing about ${file}`, async () => {
    using client = await openClientRun(file)
    await client.run()
    const { findings, summary } = await client.sandbox.audit()
    expect(findings).toEqual([])
    expect(summary.requests).toBeGreaterThan(1)
  })

for (const name of smallClients)
  it(`gives at most a hint about ${name}`, async () => {
    using client = await openClientRun(name)
    await client.run()
    const { findings } = await client.sandbox.audit()
    expect(findings.filter(({ severity }) => severity !== 'hint')).toEqual([])
  })

it('lists all clients, each with a one-sentence description', () => {
  const files = ['correct', 'reading', 'sending', 'python'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((name) => /\.(ts|py)$/.test(name) && name !== 'api.py')
      .map((name) => `${folder}/${name}`),
  )
  const small = [...Object.keys(smallWrongClients), ...smallClients]
  const listed = [...correctClients, ...smallClients, ...Object.keys(wrongClients)]
  expect(listed.toSorted()).toEqual([...files, ...small].toSorted())
  expect(listed.filter((file) => !describeClient(file).endsWith('.'))).toEqual([])
})

it('has an incorrect client for each variation, bad day and rule', () => {
  const found = new Set(wrong.flatMap(([, { under, rules = [] }]) => [under, ...rules]))
  const names = [...trialNames, ...rules.map(({ name }) => name)]
  expect(names.filter((name) => !found.has(name))).toEqual([])
})

it('reports nothing about a client that reads each list', async () => {
  using client = await openClientRun('reads-every-list.ts')
  await client.run()
  expect((await client.sandbox.audit()).findings).toEqual([])
  const read = new Set<string | null>(client.sandbox.requests.map(({ route }) => route))
  const lists = routes.filter(({ pagination }) => pagination !== undefined).map(({ id }) => id)
  // The scenario has no promotion.
  const unread = ['GET /v1/:account_id/reach/promotions/:promo_id/subscribers']
  expect(lists.filter((id) => !read.has(id))).toEqual(unread)
})

it('finds next_page wherever it stands in a long body', async () => {
  using client = await openClientRun('reads-every-list.ts')
  const options = { ...surviveOptions, only: ['key-order'] as const, seeds: 2 }
  expect((await client.sandbox.survive(client.run, options)).survived).toBe(true)
})
