import { createSandbox } from 'creator-api-sandbox'
import type { SandboxOptions } from 'creator-api-sandbox'
import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { writeTemporaryFile } from '../support/command.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const posts = 'GET /v1/:account_id/posts'
const renamed = { routes: { [posts]: { answer: { '$.list': { rename: 'rows' } } } } } as const

const inFile = `routes:\n  ${posts}:\n    answer:\n      $.rows[*].text: { rename: caption }\n`

const open = (overlay: SandboxOptions['overlay']) => createSandbox({ scenario: 'solo', overlay })

async function page(sandbox: ReturnType<typeof createSandbox>) {
  await sandbox.ready
  const { body } = await sendAsOwner(sandbox, 'GET', `/v1/${sandbox.accounts[0].id}/posts?limit=1`)
  return body as { data: Record<string, unknown> }
}

it('accepts an overlay as an object, and applies it from the first request on', async () => {
  const sandbox = open(renamed)
  expect((await page(sandbox)).data).toHaveProperty('rows')
  expect((await page(sandbox.fork())).data).toHaveProperty('rows')
  expect((await page(sandbox.createWorld())).data).toHaveProperty('rows')
  await sandbox.control.loadScenario({ name: 'solo' })
  expect((await page(sandbox)).data).toHaveProperty('rows')
})

it('accepts several files and objects, in order', async () => {
  const sandbox = open([renamed, writeTemporaryFile(inFile)])
  expect((await page(sandbox)).data).toMatchObject({ rows: [{ caption: expect.any(String) }] })
})

it('applies the overlay on a server, and includes it in the digest', async () => {
  const digestOf = async (overlay: SandboxOptions['overlay']) => {
    const { url, sandbox, stop } = await startServer({ port: 0, scenario: 'solo', overlay })
    onTestFinished(stop)
    new ServedSandbox(sandbox).host.showDigest()
    const { digest } = (await (await fetch(`${url}/health`)).json()) as { digest: string }
    return { digest, page: await page(sandbox) }
  }
  const plain = await digestOf(undefined)
  const changed = await digestOf(renamed)
  expect(changed.page.data).toHaveProperty('rows')
  expect(changed.digest).not.toBe(plain.digest)
})

it('matches the routes of an overlay after ready', async () => {
  const sandbox = open({ routes: { 'GET /v1/wishes': { new: true, answers: { 200: [] } } } })
  await sandbox.ready
  const route: string = 'GET /v1/wishes'
  sandbox.faults.add({ route, status: 502 })
  expect((await sendAsOwner(sandbox, 'GET', '/v1/wishes')).status).toBe(502)
  expect(sandbox.received({ route })).toHaveLength(1)
})

it('rejects an invalid overlay when it is ready, with its line', async () => {
  const file = writeTemporaryFile(
    `routes:\n  ${posts}:\n    answer:\n      $.list[*].txt: { rename: caption }\n`,
  )
  await expect(open(file).ready).rejects.toThrow(`${file}:4:7`)
  await expect(open('no-such.yaml').ready).rejects.toThrow('Set the path of a YAML file')
  await expect(open('routes:\n  {}\n').ready).rejects.toThrow('Pass YAML to readOverlay')
})

it.each([5, '', [], [[]], {}, [{ routes: {}, matcher: () => {} }]])(
  'rejects %j at once',
  (overlay) => {
    expect(() => createSandbox({ overlay: overlay as never })).toThrow(
      'it must be the path of a YAML file',
    )
  },
)

it('rejects a path if there is no file system, as in a browser', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  await expect(open(writeTemporaryFile(inFile)).ready).rejects.toThrow(
    'there is no file system. Pass an object',
  )
})
