import { expect, it, vi } from 'vitest'
import { serveCommand } from '../support/command.ts'

const startOf = async (...flags: string[]) =>
  (await (await serveCommand('--clock', 'frozen', ...flags)).control('state')).start

it('starts at the current UTC minute, with data up to then, and prints it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-04T05:06:59Z') })
  const { control, printed } = await serveCommand('--scenario', 'solo')
  expect(await control('state')).toMatchObject({
    start: '2027-03-04T05:06:00.000Z',
    clock: { mode: 'running', now: '2027-03-04T05:06:00.000Z' },
  })
  expect(printed).toContain(
    'Clock    2027-03-04T05:06:00.000Z, running; started at 2027-03-04T05:06:00.000Z\n',
  )
  const { items } = await control('data/posts?status=published')
  const times = items.map(({ postedAt }: { postedAt: string }) => postedAt).toSorted()
  expect(times.at(-1) > '2027-02-15').toBe(true)
  expect(times.at(-1) < '2027-03-04T05:06').toBe(true)
})

it('accepts now, today, a time or epoch ms as the start, and keeps the start of a story', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-04T05:06:59Z') })
  expect(await startOf('--scenario', 'empty', '--now', 'now')).toBe('2027-03-04T05:06:00.000Z')
  expect(await startOf('--scenario', 'empty', '--now', 'today')).toBe('2027-03-04T00:00:00.000Z')
  expect(await startOf('--scenario', 'empty', '--now', '1790000000000')).toBe(
    '2026-09-21T14:13:20.000Z',
  )
  expect(await startOf('--scenario', 'launch-day')).toBe('2026-09-12T08:00:00.000Z')
})
