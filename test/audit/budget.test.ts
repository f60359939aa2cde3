import { expect, it, vi } from 'vitest'
import { createSandbox } from 'creator-api-sandbox'
import { sendAsOwner } from '../support/client.ts'
import '../../src/audit/audit.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

/** Opens a sandbox, and a client that creates a post with additional unknown keys. */
async function open() {
  const sandbox = createSandbox({ scenario: 'solo' })
  await sandbox.ready
  const post = async (keys: number) => {
    const extra = Array.from({ length: keys }, (_, index) => [`unknown${index}`, 1])
    const body = { text: 'Hello', ...Object.fromEntries(extra) }
    const path = `/v1/${sandbox.accounts[0]?.id}/posts`
    expect((await sendAsOwner(sandbox, 'POST', path, body)).status).toBe(200)
    return JSON.stringify(body)
  }
  const warn = async () => {
    const lines: string[] = []
    await new ServedSandbox(sandbox).warn((line) => lines.push(line))
    return lines
  }
  return { sandbox, post, warn }
}

/** Counts how often a body is parsed. */
async function countParses(body: string, run: () => unknown): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    await run()
    return parse.mock.calls.filter(([text]) => text === body).length
  } finally {
    parse.mockRestore()
  }
}

it('parses a body once for all warnings, audits and lists of requests', async () => {
  const { sandbox, post, warn } = await open()
  const body = await post(50)
  expect(await countParses(body, warn)).toBe(1)
  await post(1)
  const later = async () => {
    await warn()
    await sandbox.audit()
    return [sandbox.requests, sandbox.control.requestRows()]
  }
  expect(await countParses(body, later)).toBe(0)
  const { findings } = await sandbox.audit()
  expect(findings.filter(({ rule }) => rule === 'ignored-parameter')).toHaveLength(1)
})

it('lists requests first, and then warns about them without parsing', async () => {
  const { sandbox, post, warn } = await open()
  const body = await post(1)
  expect(await countParses(body, () => sandbox.requests)).toBe(1)
  expect(await countParses(body, warn)).toBe(0)
})

it('leaves out bodies that exceed the budget of the warnings, and says so once', async () => {
  const { sandbox, post, warn } = await open()
  const bodies: string[] = []
  for (let count = 0; count < 8; count += 1) bodies.push(await post(10_000))
  const leftOut = expect.stringContaining('The warnings left out some requests, such as request')
  const parse = vi.spyOn(JSON, 'parse')
  expect(await warn()).toContainEqual(leftOut)
  const lengths = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(1024 * 1024)
  await post(10_000)
  expect(await warn()).not.toContainEqual(leftOut)
  expect((await sandbox.audit()).summary.unread).toBe(0)
})

it('does not parse a body above the maximum, and says so in the journal and the audit', async () => {
  const { sandbox, post, warn } = await open()
  const body = await post(20_000)
  const check = async () => {
    await warn()
    return sandbox.audit()
  }
  expect(await countParses(body, check)).toBe(0)
  expect(sandbox.requests[0]).toMatchObject({
    ignored: [],
    note: expect.stringContaining('more than 262144 characters'),
  })
  expect((await sandbox.audit()).summary).toMatchObject({ requests: 1, unread: 1 })
})

it('stops the warnings of one second when the time for many requests is used up', async () => {
  const { sandbox, post, warn } = await open()
  for (let count = 0; count < 21; count += 1) await post(1)
  let time = 0
  const served = new ServedSandbox(sandbox)
  served.follow({ now: () => (time += 100), pause: async () => {} })
  expect(await warn()).toEqual([expect.stringContaining('left out some requests')])
})
