import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

const mistakes: Record<string, (sandbox: Sandbox) => unknown> = {
  createSandbox: () => createSandbox({ seed: 0.5 }),
  act: (sandbox) => sandbox.act({ type: 'tip', amount: -1 }),
  seek: (sandbox) => sandbox.seek('nowhere'),
  'clock.advance': ({ clock }) => clock.advance('soon'),
  'clock.set': ({ clock }) => clock.set('2001-01-01T00:00:00Z'),
  'faults.add': ({ faults }) => faults.add({ route: 'GET /nowhere' as string, status: 500 }),
  'db.insert': ({ db }) => db.posts.insert({ price: -1 }),
  'db.put': ({ db }) => db.posts.put({ id: 1, price: -1 } as never),
  'make.post': ({ make }) => make.post({ price: -1 }),
  snapshot: () => createSandbox({ scenario: 'empty' }).snapshot(),
  'db.update': ({ db }) => db.posts.update(1, {}),
  'db.where': ({ db }) => db.posts.where({ no: 1 } as never),
  'control.data': ({ control }) => control.data('nothing'),
  'control.faults.remove': ({ control }) => control.faults.remove('x' as never),
  'clock.follow': ({ clock }) => clock.follow(5 as never),
  received: (sandbox) => sandbox.received({ rout: 'x' } as object),
  on: (sandbox) => sandbox.on('requests' as never, () => {}),
  cost: (sandbox) => sandbox.cost({ from: 1 } as object),
  assertSettled: (sandbox) => sandbox.assertSettled({ except: [404] } as object),
  createWorld: (sandbox) => sandbox.createWorld({ name: 'Not a name' }),
  world: (sandbox) => sandbox.world('Not a name'),
  fork: () => createSandbox({ scenario: 'empty' }).fork(),
  waitForRequest: (sandbox) => sandbox.waitForRequest({ status: 500 }, { timeoutMs: 1 }),
  audit: (sandbox) => sandbox.audit({ from: 1 } as object),
  play: (sandbox) => sandbox.play({ until: 'nowhere' }),
  restore: (sandbox) => sandbox.restore({}),
  fetch: (sandbox) => sandbox.fetch('https://elsewhere.example/'),
}

it.each(Object.entries(mistakes))(
  'throws with the line of the caller on top: %s',
  async (_, makeMistake) => {
    const sandbox = await createFreshSandbox()

    const error = await catchError(() => makeMistake(sandbox))
    const top = error.stack?.split('\n').find((line) => /^\s+at /.test(line))

    expect(error).toBeInstanceOf(SandboxError)
    expect(top).toContain('caller-mistakes.test.ts')
  },
)

it('reads requests and responses as JSON', async () => {
  const sandbox = await createFreshSandbox()
  const [account] = sandbox.db.accounts.all()
  const headers = {
    authorization: `Bearer ${sandbox.keys.owner}`,
    'content-type': 'application/json',
  }
  const url = `${sandbox.baseUrl}/v1/${account?.id}/tracking-links`
  await sandbox.fetch(url, { method: 'POST', headers, body: '{"name": "Bio"}' })
  await sandbox.fetch(url, { method: 'POST', headers, body: '{"name"' })
  const [broken, sent] = sandbox.requests

  expect(sent?.json()).toEqual({ name: 'Bio' })
  expect(sent?.response.json()).toMatchObject({ data: { id: expect.any(Number) } })
  expect(Object.keys(sent ?? {})).not.toContain('json')
  expect(() => broken?.json()).toThrow(
    /^Failed to read the body of POST \/v1\/\d+\/tracking-links as JSON: /,
  )
  await sandbox.fetch(url, { headers })
  expect(() => sandbox.requests[0]?.json()).toThrow('as JSON: it is empty.')
})

async function catchError(run: () => unknown): Promise<Error> {
  try {
    await run()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown.')
}
