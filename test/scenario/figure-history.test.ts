import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

it('describes a story, with the history of its figures in story time', async () => {
  const { sandbox, read } = await openControlClient({ scenario: 'viral-post' })
  sandbox.seek('2m')
  const { title, watch } = (await read('story')) as ReturnType<typeof sandbox.control.story>
  expect(title).toBe('One post goes viral')
  const views = sandbox.db.posts.get(1_204_900_001)?.lookCount
  expect(watch[1]).toMatchObject({
    figure: 'post.views',
    label: 'Views',
    unit: 'count',
    value: views,
  })
  expect(watch[1]?.points[0]).toEqual({ at_ms: 0, value: 0 })
  expect(watch[1]?.points.at(-1)).toEqual({ at_ms: 120_000, value: views })
  expect(sandbox.control.replay().watch[1]?.value).toBe(views)
})

it('removes later points after a seek back', async () => {
  const sandbox = await createFreshSandbox('viral-post')
  sandbox.seek('3m')
  const before = sandbox.control.story().watch
  sandbox.seek('1m')
  expect(sandbox.control.story().watch[0]?.points.every(({ at_ms: at }) => at <= 60_000)).toBe(true)
  sandbox.seek('3m')
  expect(sandbox.control.story().watch).toEqual(before)
})

it('sums net revenue like the earnings routes', async () => {
  const sandbox = await createFreshSandbox('launch-day')
  sandbox.seek('3m')
  const start = Date.parse(sandbox.control.state().start)
  const rows = sandbox.db.transactions.where(
    (row) => Date.parse(row.transaction_created_at ?? '') >= start,
  )
  const net = rows.reduce((cents, row) => cents + Math.round(row.net * 100), 0) / 100
  expect(sandbox.control.replay().watch.slice(0, 2)).toMatchObject([
    { figure: 'revenue.net', unit: 'dollars', value: net },
    { figure: 'subscribers', unit: 'count' },
  ])
})

it('shows a loaded story at its start', async () => {
  const { sandbox, ask } = await openControlClient({
    scenario: 'solo',
    options: { clock: 'running' },
  })
  await ask('PUT', '/_sandbox/scenario', { body: { name: 'bad-day', cue: true } })
  expect(sandbox.control.replay()).toMatchObject({ status: 'idle', at_ms: 0 })
  expect(sandbox.clock.mode).toBe('frozen')
})

it('keeps the speed of a story after its end', async () => {
  const { sandbox } = await openControlClient({
    scenario: 'launch-day',
    options: { clock: 'running' },
  })
  sandbox.control.replay({ command: 'speed', speed: 30 })
  await sandbox.play({ speed: 1000 })
  sandbox.control.replay({ command: 'speed', speed: 30 })
  expect(sandbox.control.replay()).toMatchObject({ status: 'ended', speed: 30 })
})

it('sums net revenue within a window, which moves with the story', async () => {
  for (const moved of [{}, { now: '2027-03-30T08:00:00Z' }]) {
    const sandbox = createSandbox({ scenario: 'quarter-close', ...moved })
    await sandbox.ready
    const values = () =>
      sandbox.control
        .story()
        .watch.filter(({ figure }) => figure === 'revenue.net')
        .map(({ value }) => value)
    sandbox.seek('The last evening')
    const [before = 0] = values()
    sandbox.seek('A new quarter')
    const [quarter = 0] = values()
    expect(quarter).toBeGreaterThan(before)
    expect(values()).toEqual([quarter, 0])
    await sandbox.play()
    const [unchanged, october = 0] = values()
    expect(unchanged).toBe(quarter)
    expect(october).toBeGreaterThan(30)
  }
})

it('lists requests and leaps of the story in the feed', async () => {
  const sandbox = await createFreshSandbox('viral-post')
  await sandbox.play()
  const texts = sandbox.control
    .happenings()
    .filter(({ type }) => type === 'request' || type === 'leap')
  expect(texts.filter(({ type }) => type === 'request').map(({ text }) => text)).toEqual([
    'The owner asked POST /v1/341095528/posts/1204900002/pin',
  ])
  expect(texts.at(0)?.text).toBe('The clock jumps to 2026-10-03 19:00')
  expect(texts.at(-1)?.text).toBe('The clock jumps to 2026-10-04 09:00')
})

it('counts responses to clients by status, and chargebacks', async () => {
  const sandbox = await createFreshSandbox('bad-day')
  const values = () =>
    Object.fromEntries(sandbox.control.story().watch.map(({ figure, value }) => [figure, value]))
  sandbox.seek('Upstream trouble')
  for (const path of ['420110225/posts', '420110933/fans', 'nowhere'])
    await sendAsOwner(sandbox, 'GET', `/v1/${path}`)
  expect(values()).toMatchObject({
    refused: 3,
    'status.4xx': 2,
    'status.5xx': 1,
    'revenue.net': expect.any(Number),
  })
})
