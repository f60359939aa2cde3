import { expect, it } from 'vitest'
import { openControlClient, refusal } from '../support/control.ts'

it('advances, sets, runs and freezes the clock, and returns its state', async () => {
  const { sandbox, ask } = await openControlClient()
  const start = sandbox.clock.now()
  const move = (body: object) => ask('POST', '/_sandbox/clock', { body })
  expect((await move({ advance: '2h 1s' })).body).toEqual({
    now: new Date(start + 7_201_000).toISOString(),
    mode: 'frozen',
    rate: 1,
  })
  expect((await move({ advance: 1000 })).body.now).toBe(new Date(start + 7_202_000).toISOString())
  expect((await move({ set: '2030-01-01T00:00:00Z' })).body.now).toBe('2030-01-01T00:00:00.000Z')
  expect((await move({ mode: 'running', rate: 60 })).body).toMatchObject({
    mode: 'running',
    rate: 60,
  })
  expect((await move({ mode: 'frozen' })).body.mode).toBe('frozen')
})

it.each([
  [{}, 'exactly one of advance, set and mode'],
  [{ advance: 'soon' }, 'it is not a valid duration'],
  [{ advance: -1 }, 'it is not a valid duration'],
  [{ advance: 1e300 }, 'the latest time is'],
  [{ set: '2287-01-01T00:00:00Z' }, 'the latest time is'],
  [{ advance: true }, 'a duration such as'],
  [{ set: 'yesterday' }, 'it is not a valid time'],
  [{ set: '2001-01-01T00:00:00Z' }, 'only moves forwards'],
  [{ mode: 'follow' }, 'it must be one of frozen, running'],
  [{ mode: 'running', rate: 0 }, 'rate: 0'],
  [{ mode: 'frozen', rate: 2 }, 'rate needs mode: running'],
  [{ now: '2030-01-01' }, 'Allowed: advance, set, mode, rate'],
  ['[', 'not well-formed JSON'],
  ['null', 'of type object'],
])('rejects moving the clock by %j, and does not move it', async (body, text) => {
  const { sandbox, ask } = await openControlClient()
  const before = sandbox.clock.state()
  expect(await ask('POST', '/_sandbox/clock', { body })).toMatchObject(refusal(400, text))
  expect(sandbox.clock.state()).toEqual(before)
})

it('rejects a body on routes without one', async () => {
  const { ask } = await openControlClient()
  expect(await ask('POST', '/_sandbox/reset', { body: { deep: true } })).toMatchObject(
    refusal(400, 'accepts no body'),
  )
  expect((await ask('POST', '/_sandbox/reset', { body: {} })).status).toBe(200)
})
