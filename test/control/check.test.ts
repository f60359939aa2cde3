import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { runInProcess, writeTemporaryFile } from '../support/command.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'

describe('the invariants', () => {
  // check.long.test.ts tests the scenario `large`.
  it.each(shippedScenarios.map(({ name }) => name).filter((name) => name !== 'large'))(
    'hold in %s, before its story and after',
    async (name) => {
      const sandbox = await createFreshSandbox(name)
      expectNoViolations(sandbox)
      if (sandbox.control.replay().chapters.length === 0) return
      await sandbox.play()
      expectNoViolations(sandbox)
    },
  )

  it('have unique names', async () => {
    const names = (await createFreshSandbox('empty')).check().invariants.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('report the first ten records that break one, and change nothing', async () => {
    const sandbox = await createFreshSandbox('solo')
    for (const { id } of sandbox.db.transactions.all().slice(0, 12))
      sandbox.db.transactions.update(id, { category: 'tip', amount: 1 })
    const before = JSON.stringify(sandbox.snapshot())
    const { holds, invariants } = sandbox.check()
    expect(holds).toBe(false)
    const found = invariants.find(({ name }) => name === 'no tip is below the minimum')
    expect(found?.broken).toHaveLength(10)
    expect(found?.broken[0]).toMatch(/^The tip \d+ is 1 dollars\. The minimum is 5\.$/)
    expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  })

  it('hold for any start of the clock', async () => {
    for (const now of ['2025-01-01T00:00:00Z', '2027-03-31T23:59:59Z'])
      expectNoViolations(await createFreshSandbox('boundaries', { now }))
  })
})

const account = 100_200_300
/** A scenario in which a post is unlocked before its publication. */
const story = `extends: solo
name: mine
title: Mine
records:
  posts:
    - { id: 1204900001, accountId: ${account}, text: Late, rawText: Late, createdAt: 2026-10-01T09:00:00.000Z, countedUntil: 2026-10-01T09:00:00.000Z, postedAt: 2026-10-01T09:00:00.000Z, postedAtPrecise: '1790845200.000000', price: 5, status: published }
  transactions:
    - { id: '704390000001', accountId: ${account}, fanId: 218900001, transaction_created_at: 2026-10-01T08:00:00.000Z, amount: 5, net: 4, currency: USD, category: unlock, status: done, postId: 1204900001 }
  fans:
    - { id: 218900001, name: Ann, username: ann, avatar: 'https://public.platform.example/files/1/avatar.svg', lastSeen: 2026-10-01T08:00:00.000Z }
timeline:
  - { chapter: One, note: Hello }
  - { at: 10s, do: { type: tip, account_id: ${account}, amount: 5, on: profile } }
`

describe('on the command line', () => {
  it('prints the invariants of a scenario that are not broken', async () => {
    const { code, stdout, stderr } = await runInProcess('check', 'solo')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^holds {3}no tip is below the minimum$/m)
  })

  it('names the records that break an invariant', async () => {
    const file = writeTemporaryFile(story)
    const { code, stdout, stderr } = await runInProcess('check', file)
    expect(await runInProcess('check', '--scenario', file)).toEqual({ code, stdout, stderr })
    expect(code).toBe(2)
    expect(stdout).toMatch(/^BROKEN {2}no payment is older than its post or message$/m)
    expect(stderr).toContain(
      'The payment 704390000001 was made at 2026-10-01T08:00:00.000Z, but post ' +
        '1204900001 was published at 2026-10-01T09:00:00.000Z.',
    )
  })

  it('validates each moment of a story with --deep', async () => {
    const file = writeTemporaryFile(story)
    expect(await runInProcess('validate', file)).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = await runInProcess('validate', file, '--deep')
    expect([code, stderr]).toEqual([2, expect.stringContaining('at 00:00 of the story')])
    writeFileSync(
      file,
      story.replace('2026-10-01T08:00:00.000Z, amount', '2026-10-01T09:10:00.000Z, amount'),
    )
    expect(await runInProcess('validate', file, '--deep')).toMatchObject({ code: 0, stderr: '' })
  })
})
