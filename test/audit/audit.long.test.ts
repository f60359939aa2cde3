import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'

it('audits 10,000 requests within 100 ms of the processor, helpers such as the garbage collector included', async () => {
  const sandbox = createSandbox({ scenario: 'solo', journalSize: 10_000 })
  await sandbox.ready
  sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys['owner']}`, 'content-type': 'application/json' }
  const account = sandbox.db.accounts.all()[0]!.id
  const send = (method: string, url: string, body: object | null = null) =>
    sandbox.handle({
      method,
      url,
      header: (name) => headers[name] ?? null,
      headers: () => headers,
      body: body === null ? null : JSON.stringify(body),
    })
  for (let count = 0; count < 2500; count += 1) {
    sandbox.clock.advance(100)
    await send('GET', `/v1/${account}/posts?limit=3`)
    await send('GET', `/v1/${account}/chats?limit=5`)
    await send('POST', `/v1/${account}/vault/lists`, { name: `List ${count}` })
    await send('GET', `/v1/${account}/posts/${count}/stats`)
  }
  const times: number[] = []
  for (let round = 0; round < 25; round += 1) {
    const start = process.cpuUsage()
    const { summary } = await sandbox.audit()
    times.push(process.cpuUsage(start).user / 1000)
    expect(summary.requests).toBe(10_000)
  }
  // The time of this process alone, and the fastest: the machine may be busy with something else.
  expect(Math.min(...times)).toBeLessThan(100)
})
