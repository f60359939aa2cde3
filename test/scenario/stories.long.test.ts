import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, Scenario } from 'creator-api-sandbox'
import { describe, expect, it, vi } from 'vitest'
import { dayMs } from '../../src/lib/time.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { loadShippedScenario } from '../../src/scenario/prepare.ts'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'

const stories = shippedScenarios.filter(({ durationMs }) => durationMs > 0)
const world = (sandbox: Sandbox) => JSON.stringify(sandbox.snapshot())

describe.each(stories)('$name', ({ name, chapters, load }) => {
  it('has consistent figures at each chapter, and the same ones after a direct seek', async () => {
    const { timeline } = await loadShippedScenario({ load })
    const played = await createFreshSandbox(name)
    for (const chapter of chapters) {
      expect(played.seek(chapter)).toMatchObject({
        chapter,
        caption: timeline.find((step) => step.chapter === chapter)?.note,
      })
      const straight = await createFreshSandbox(name)
      straight.seek(chapter)
      expect(world(straight) === world(played), chapter).toBe(true)
      await expectResponsesMatchRecords(played, { most: 25 })
    }
    const { status, problems } = await played.play()
    expect([status, problems]).toEqual(['ended', []])
    await expectResponsesMatchRecords(played, { most: 25 })
  })

  it('also plays with only documented routes', async () => {
    const sandbox = await createFreshSandbox(name, { documentedOnly: true })
    expect(await sandbox.play()).toMatchObject({ status: 'ended', problems: [] })
  })

  it('reaches the same end when played in real time', async () => {
    const [played, straight] = [
      createSandbox<readonly Scenario[]>({ scenario: name, baseUrl: 'https://api.example.test' }),
      await createFreshSandbox(name),
    ]
    await played.ready
    const { status, problems } = await played.play({ speed: 1000 })
    await straight.play()
    expect([status, problems]).toEqual(['ended', []])
    expect(world(played) === world(straight)).toBe(true)
  })

  it.each(['2026-12-31', '2027-02-28', '2028-02-29', '2025-03-30'])(
    'plays to its end when it is anchored to %s',
    async (today) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T12:00:00Z`) })
      const { now, ...scenario } = await loadShippedScenario({ load })
      const sandbox = await createFreshSandbox(name, {
        scenario: { ...scenario, now, anchor: 'today' },
      })
      const start = Date.parse(sandbox.control.state().start)
      expect(new Date(start).getUTCDay()).toBe(new Date(now).getUTCDay())
      expect(Math.abs(Date.now() - start)).toBeLessThan(7 * dayMs)
      const { status, problems } = await sandbox.play()
      expect([status, problems]).toEqual(['ended', []])
      await expectResponsesMatchRecords(sandbox, { most: 10 })
    },
  )

  it.each([1, 99])('plays to its end with the seed %i too', async (other) => {
    const sandbox = await createFreshSandbox(name, { seed: other })
    const { status, problems } = await sandbox.play()
    expect([status, problems]).toEqual(['ended', []])
    await expectResponsesMatchRecords(sandbox, { most: 10 })
  })
})
