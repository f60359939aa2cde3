import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

/** Opens a sandbox and a client that posts a tag. */
async function open() {
  const sandbox = await createFreshSandbox('solo')
  const post = (signal?: AbortSignal) =>
    sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.keys['owner'] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'once' }),
      ...(signal === undefined ? {} : { signal }),
    })
  const count = () => sandbox.db.tags.where({}).filter(({ name }) => name === 'once').length
  return { sandbox, post, count }
}

it('executes a write whose response is lost, and charges a credit', async () => {
  const { sandbox, post, count } = await open()
  sandbox.faults.add({ route: 'POST /v1/tags', drop: true, applied: true, times: 1 })
  await expect(post()).rejects.toThrow('fetch failed')
  expect(count()).toBe(1)
  expect(sandbox.requests[0]).toMatchObject({ status: 0, credits: 1 })
})

it('executes a write that gets an error response, and the audit reports its repetition', async () => {
  const { sandbox, post, count } = await open()
  sandbox.faults.add({ status: 429, applied: true, times: 1 })
  expect((await post()).status).toBe(429)
  expect(count()).toBe(1)
  await post()
  const { findings } = await sandbox.audit()
  expect(findings.map(({ rule }) => rule)).toContain('repeated-write')
})

it('immediately executes a write whose response is late', async () => {
  const { sandbox, post, count } = await open()
  sandbox.faults.add({ delay_ms: 60_000, applied: true, times: 1 })
  const controller = new AbortController()
  const answered = post(controller.signal)
  await expect.poll(count).toBe(1)
  controller.abort()
  await expect(answered).rejects.toThrow('aborted')
})

it('does not execute requests that the API rejects', async () => {
  const { sandbox, count, post } = await open()
  sandbox.act({ type: 'credits.set', credits: 0 })
  sandbox.faults.add({ drop: true, applied: true })
  expect((await post()).status).toBe(402)
  expect(count()).toBe(0)
})

it('the audit reports a write that is sent again while its response is late', async () => {
  const { sandbox, post, count } = await open()
  sandbox.faults.add({ delay_ms: 50, applied: true, times: 1 })
  const late = post()
  await expect.poll(count).toBe(1)
  await post()
  expect((await late).status).toBe(200)
  const { findings } = await sandbox.audit()
  expect(findings).toContainEqual(
    expect.objectContaining({
      rule: 'repeated-write',
      message: expect.stringContaining(
        'as request 1, although request 2 was carried out and only its response was late',
      ),
    }),
  )
})

it('the audit accepts a second identical write after the late response to the first', async () => {
  const { sandbox, post } = await open()
  sandbox.faults.add({ delay_ms: 1, applied: true, times: 1 })
  await post()
  await post()
  const rules = (await sandbox.audit()).findings.map(({ rule }) => rule)
  expect(rules).not.toContain('repeated-write')
})

it('requires an effect on the response', async () => {
  const { sandbox } = await open()
  expect(() => sandbox.faults.add({ applied: true, truncate: true })).toThrow(
    'applied: true): it needs status, delay_ms or drop: true',
  )
})
