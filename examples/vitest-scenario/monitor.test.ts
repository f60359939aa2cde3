import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Monitor } from './monitor.ts'

const baseUrl = 'https://api.example.test'
const seeded = createSandbox({ baseUrl, scenario: 'bad-day' })
const server = setupServer()
const [lena, tomas] = [420_110_225, 420_110_933]

let sandbox: Sandbox
let monitor: Monitor

beforeAll(async () => {
  await seeded.ready
  server.listen(strict)
})
beforeEach(() => {
  // Each test starts the day from the beginning, in its own world.
  sandbox = seeded.fork()
  server.resetHandlers(...handlers(sandbox))
  monitor = new Monitor({ baseUrl, apiKey: sandbox.keys['owner'] ?? '' })
})
afterAll(() => server.close())

it('asks for a new login when the session lapses, only for that account', async () => {
  await sandbox.play({ until: 'The session lapses' })

  expect(await monitor.look(lena)).toEqual({ accountId: lena, state: 'reconnect', unread: null })
  expect(await monitor.look(tomas)).toMatchObject({ state: 'ok' })

  sandbox.seek('+40s') // she logs in again
  expect(await monitor.look(lena)).toMatchObject({ state: 'ok' })
})

it('waits during an outage of the platform', async () => {
  await sandbox.play({ until: 'Upstream trouble' })

  expect(await monitor.look(lena)).toMatchObject({ state: 'wait' })
  sandbox.seek('Throttled')
  expect(await monitor.look(lena)).toMatchObject({ state: 'ok' })
})

it('reports that the credits are used up', async () => {
  await sandbox.play({ until: 'Out of credits' })

  const looks = []
  for (let times = 0; times < 4; times += 1) looks.push((await monitor.look(tomas)).state)
  expect(looks).toEqual(['ok', 'ok', 'ok', 'pay'])
})

it('renews links of pictures after hours, and omits pictures that the platform refuses', async () => {
  sandbox.seek('5m 40s')
  const before = await monitor.picture(lena)

  sandbox.seek('Links expire')
  const after = await monitor.picture(lena, before?.link)
  expect(after?.bytes).toBe(before?.bytes)
  expect(after?.link).not.toBe(before?.link)

  sandbox.seek('Files are refused')
  expect(await monitor.picture(lena, after?.link)).toBeNull()
})

it('counts unread chats during the whole day, correctly to the end', async () => {
  const { chapters } = sandbox.control.replay()
  for (const { name } of chapters) {
    if (name !== chapters[0]?.name) await sandbox.play({ until: name })
    await monitor.look(lena)
    await monitor.look(tomas)
  }
  await sandbox.play()

  const unread = sandbox.db.chats.where(
    ({ accountId, unreadCount, isHidden }) => accountId === lena && unreadCount > 0 && !isHidden,
  )
  expect(await monitor.look(lena)).toEqual({ accountId: lena, state: 'ok', unread: unread.length })
  expect(await monitor.look(tomas)).toMatchObject({ state: 'ok' })
})
