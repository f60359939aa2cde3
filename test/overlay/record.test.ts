import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

it('records a story with an overlay, which then plays without the overlay', async () => {
  const overlay = {
    routes: {
      'POST /v1/:account_id/vault/lists': {
        path: '/v1/:account_id/folders',
        method: 'PUT',
        body: { '$.name': { rename: 'title', wrap: 'text' }, '$.colour': { add: 'string' } },
      },
      'POST /v1/:account_id/posts': {
        body: {
          '$.scheduledTime': { format: 'epoch-seconds' },
          '$.price': { format: 'cents' },
          '$.expireDays': { type: 'string' },
        },
      },
      'GET /v1/:account_id/posts': {
        query: {
          '$.limit': { rename: 'size', maximum: 5, clamp: true },
          '$.lang': { add: 'string' },
        },
      },
      'GET /v1/wishes': { new: true, answers: { 200: [] } },
    },
  } as const
  const sandbox = createSandbox({
    scenario: 'solo',
    overlay: [
      overlay,
      { routes: { 'POST /v1/:account_id/vault/lists': { path: '/v1/:account_id/boxes' } } },
    ],
  })
  await sandbox.ready
  const account = sandbox.db.accounts.all()[0]?.id
  const finish = new ServedSandbox(sandbox).record()
  const scheduledTime = Math.floor(sandbox.clock.now() / 1000) + 86_400
  for (const [method, path, body] of [
    ['PUT', `/v1/${account}/boxes`, { title: { text: 'Beach' }, colour: 'red' }],
    ['POST', `/v1/${account}/posts`, { text: 'Soon', scheduledTime, price: 0, expireDays: '3' }],
    ['GET', `/v1/${account}/posts?size=50&lang=en&pinned=false`],
    ['GET', '/v1/wishes'],
  ] as const)
    expect([path, (await sendAsOwner(sandbox, method, path, body)).status]).toEqual([path, 200])
  const { scenario } = finish('recorded')
  const { timeline } = scenario as unknown as { timeline: { request?: object }[] }
  const scheduled = new Date(scheduledTime * 1000).toISOString().replace('.000', '')
  expect(timeline.flatMap(({ request }) => request ?? [])).toMatchObject([
    { method: 'POST', path: `/v1/${account}/vault/lists`, body: { name: 'Beach' } },
    {
      method: 'POST',
      path: `/v1/${account}/posts`,
      body: { text: 'Soon', scheduledTime: scheduled, price: 0, expireDays: 3 },
    },
    { method: 'GET', path: `/v1/${account}/posts?limit=5&pinned=false` },
  ])
  const again = createSandbox({ scenario: 'empty', library: [] })
  await again.control.loadScenario({ yaml: JSON.stringify(scenario) })
  await again.play()
  const namesIn = (each: typeof again) => each.db.vaultLists.all().map(({ name }) => name)
  expect(namesIn(again as never)).toEqual(namesIn(sandbox as never))
  expect(again.requests.filter(({ status }) => status >= 400)).toEqual([])
})
