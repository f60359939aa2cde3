import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { bearer, openControl } from '../support/control.ts'

it('adds, lists, lifts and clears faults', async () => {
  const { sandbox, ask } = await openControl()
  const fault = { route: 'GET /v1/:account_id/posts', status: 502, times: 2 }
  expect((await ask('POST', '/_sandbox/faults', { body: fault })).body).toEqual({ ...fault, id: 1 })
  expect((await ask('POST', '/_sandbox/faults', { body: { delay_ms: 5 } })).body).toEqual({ delay_ms: 5, id: 2 })
  expect((await ask('GET', '/_sandbox/faults')).body).toEqual(sandbox.faults.list())
  expect((await ask('DELETE', '/_sandbox/faults/1')).body).toEqual({ removed: 1 })
  expect((await ask('DELETE', '/_sandbox/faults/1')).status).toBe(404)
  expect((await ask('DELETE', '/_sandbox/faults')).body).toEqual({ removed: 1 })
  expect(sandbox.faults.list()).toEqual([])
})

it('takes the route as OpenAPI writes it', async () => {
  const { sandbox } = await openControl()
  expect(sandbox.faults.add({ route: 'get /v1/{account_id}/posts', status: 500 }).route).toBe('GET /v1/:account_id/posts')
})

it.each([
  [{ route: 'GET /v1/:account_id/post', status: 500 }, 'Near it: GET /v1/:account_id/posts'],
  [{ route: 'posts', status: 500 }, 'Give method and path'],
  [{ status: 200 }, 'it must be at least 400'],
  [{ status: '502' }, 'of type number'],
  [{ times: 0 }, 'times: 0'],
  [{ delay_ms: 1e9 }, 'at most 600000'],
  [{ colour: 'red' }, 'Allowed: route, account_id, status, error, delay_ms, drop, times'],
  [[], 'of type object'],
  [{}, 'it would do nothing: it needs status, delay_ms or drop'],
  [{ drop: false, times: 2 }, 'it would do nothing'],
  [{ error: 'Down for repairs.', delay_ms: 5 }, 'error: "Down for repairs."): it goes with status'],
  [{ drop: true, status: 502 }, 'drop: true): a connection that is cut answers no status'],
  [{ account_id: 5, status: 502 }, 'account_id: 5): there is no such account. There '],
])('refuses the fault %j, as method and over HTTP', async (fault, text) => {
  const { sandbox, ask } = await openControl()
  expect(await ask('POST', '/_sandbox/faults', { body: fault })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(text) },
  })
  expect(() => sandbox.faults.add(fault as object)).toThrow(text)
  expect(sandbox.faults.list()).toEqual([])
})

it('takes the fault of any account before it is known which there will be', () => {
  const { faults } = createSandbox({ scenario: 'solo' })
  expect(faults.add({ account_id: 5, status: 502 })).toEqual({ account_id: 5, status: 502, id: 1 })
})

it('holds at most 1000 faults', async () => {
  const { sandbox, ask } = await openControl()
  for (let count = 0; count < 1000; count += 1) sandbox.faults.add({ delay_ms: 0 })
  expect(await ask('POST', '/_sandbox/faults', { body: { delay_ms: 0 } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('1000 are in force') },
  })
})

it('shows the journal newest first, by route, status and account', async () => {
  const { sandbox, ask } = await openControl()
  const account = sandbox.db.accounts.all()[0]!.id
  const owner = bearer(sandbox.keys['owner'])
  await ask('GET', `/v1/${account}/posts`, owner)
  await ask('GET', '/v1/7/posts', owner)
  await ask('GET', '/v1/nothing', owner)
  const paths = async (filter: string) =>
    (await ask('GET', `/_sandbox/requests${filter}`)).body.map((entry: { path: string }) => entry.path)
  expect(await paths('')).toEqual(['/v1/nothing', '/v1/7/posts', `/v1/${account}/posts`])
  expect(await paths('?route=GET%20/v1/{account_id}/posts')).toEqual(['/v1/7/posts', `/v1/${account}/posts`])
  expect(await paths('?route=null')).toEqual(['/v1/nothing'])
  expect(await paths('?status=404')).toEqual(['/v1/nothing', '/v1/7/posts'])
  expect(await paths(`?account=${account}`)).toEqual([`/v1/${account}/posts`])
  expect((await ask('GET', '/_sandbox/requests?route=posts')).status).toBe(400)
  expect((await ask('GET', '/_sandbox/requests?status=ok')).status).toBe(400)
  expect((await ask('DELETE', '/_sandbox/requests')).body).toEqual({ removed: 3 })
  expect(await paths('')).toEqual([])
})
