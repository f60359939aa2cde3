import { createSandbox } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import 'creator-api-sandbox/vitest'
import { startServer } from 'creator-api-sandbox/server'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'

afterEach(() => void vi.unstubAllGlobals())

it('adds the matchers of a sandbox to the expect of Vitest', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  await sandbox.ready
  await expect(sandbox).toHaveNoFindings()
  expect(sandbox).toCostAtMost(0)
  expect(sandbox).not.toHaveReceived({ method: 'GET' })
  expect(sandbox).not.toHaveChanged()
  sandbox.make.tag({ name: 'Mine' })
  expect(sandbox).toHaveChanged()
  expect(sandbox).toHaveChanged({ tags: { added: 1, removed: 0 } })
  expect(() => expect(sandbox).toHaveChanged({ posts: { added: 1 } })).toThrow(
    'tags: 1 added, 0 changed, 0 removed',
  )
})

it('checks a world over HTTP in the same way', async () => {
  const { url, stop } = await startServer({ port: 0, scenario: 'solo' })
  onTestFinished(stop)
  const world = await connect(url).createWorld()
  const read = (path: string) =>
    fetch(`${url}${path}`, { headers: { 'x-api-key': world.keys['owner'] ?? '' } })
  await read('/v1/accounts')
  await read('/v1/accounts?limt=2')
  await expect(world).toCostAtMost(2)
  await expect(expect(world).toCostAtMost(1)).rejects.toThrow('Expected at most 1 credits')
  await expect(expect(world).toHaveNoFindings()).rejects.toThrow('ignored-parameter')
  await expect(world).toHaveReceived({ route: 'GET /v1/accounts' }, { times: 2 })
  await expect(world).not.toHaveChanged({ tags: { added: 1 } })
  await expect(expect(world).toHaveReceived({ method: 'POST' })).rejects.toThrow(
    'The sandbox received 2 other requests',
  )
})

it('adds the matchers to the expect of Jest', async () => {
  const extend = vi.fn()
  vi.stubGlobal('expect', { extend })
  await import('creator-api-sandbox/jest')
  expect(Object.keys(extend.mock.calls[0]?.[0] as object)).toEqual([
    'toCostAtMost',
    'toHaveNoFindings',
    'toHaveReceived',
    'toHaveChanged',
    'toSurvive',
  ])
})

it('explains a wrong place in a Jest configuration', async () => {
  vi.stubGlobal('expect', undefined)
  const again = '../../src/runners/jest.ts?again'
  await expect(import(/* @vite-ignore */ again)).rejects.toThrow('setupFilesAfterEnv')
})
