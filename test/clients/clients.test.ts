import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { variations } from '../../src/variation/variations.ts'
import { correctClients, wrongClients } from './list.ts'
import { python } from '../support/python.ts'
import { describeClient, openRun } from './run.ts'

const wrong = Object.entries(wrongClients)
const onlyFound = (isByVariation: boolean) =>
  wrong.filter(([, { variation }]) => (variation !== undefined) === isByVariation)
/** A run in Python takes longer. */
const seedsFor = (file: string) => (file.endsWith('.py') ? 3 : 8)
const canRun = (file: string) => Boolean(python) || !file.endsWith('.py')

for (const [file, { variation, pause }] of onlyFound(true))
  it.skipIf(!canRun(file))(`finds ${file} by ${variation}`, async () => {
    using client = await openRun(file, pause)
    const { results } = await client.sandbox.survive(client.run, {
      only: [variation!],
      seeds: seedsFor(file),
      print: () => {},
    })
    expect(results).toMatchObject([{ failure: { error: expect.any(Error) } }])
  })

for (const [file, { rules: expected = [], pause }] of onlyFound(false))
  it.skipIf(!canRun(file))(`finds ${file} by ${expected.join(' and ')}`, async () => {
    using client = await openRun(file, pause)
    await client.run()
    const { findings } = await client.sandbox.audit()
    expect(findings.map((finding) => finding.rule)).toEqual(expect.arrayContaining([...expected]))
  })

for (const file of correctClients)
  it.skipIf(!canRun(file))(`reports nothing about ${file}`, async () => {
    using client = await openRun(file)
    await client.run()
    const { findings, summary } = await client.sandbox.audit()
    expect(findings).toEqual([])
    expect(summary.requests).toBeGreaterThan(1)
  })

it('lists every client, each with a sentence', () => {
  const files = ['correct', 'reading', 'sending', 'python'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((name) => /\.(ts|py)$/.test(name) && name !== 'api.py')
      .map((name) => `${folder}/${name}`),
  )
  const listed = [...correctClients, ...Object.keys(wrongClients)]
  expect(listed.toSorted()).toEqual(files.toSorted())
  expect(listed.filter((file) => !describeClient(file).endsWith('.'))).toEqual([])
})

it('has a wrong client for every variation', () => {
  const found = new Set(wrong.map(([, { variation }]) => variation))
  expect(variations.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([])
})
