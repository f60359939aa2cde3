import { connect } from 'creator-api-sandbox/client'
import 'creator-api-sandbox/vitest'
import { startServer } from 'creator-api-sandbox/server'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

afterEach(() => void vi.unstubAllGlobals())

it('adds the matchers of a sandbox to the expect of Vitest', async () => {
  const sandbox = await createFreshSandbox()
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

it('expects that nothing else changed with only: true', async () => {
  const sandbox = await createFreshSandbox()
  sandbox.make.tag({ name: 'Mine' })
  expect(sandbox).toHaveChanged({ tags: { added: 1 } }, { only: true })
  sandbox.make.fan()
  expect(sandbox).toHaveChanged({ tags: { added: 1 } })
  expect(() => expect(sandbox).toHaveChanged({ tags: { added: 1 } }, { only: true })).toThrow(
    'changes like {"tags":{"added":1}} and no others',
  )
})

it.each([
  [{ posts: { add: 5 } }, 'toHaveChanged, posts: there is no kind of change "add". Do you mean'],
  [{ psots: { added: 5 } }, 'toHaveChanged: there is no table "psots". Do you mean posts?'],
  [{ posts: { added: '5' } }, 'toHaveChanged: posts.added is "5". Use an integer from 0.'],
  [{ posts: { added: -1 } }, 'toHaveChanged: posts.added is -1. Use an integer from 0.'],
  [{ posts: {} }, 'toHaveChanged: posts is an object. Pass numbers, such as { added: 1 }.'],
  [{ posts: 5 }, 'toHaveChanged: posts is 5. Pass numbers, such as { added: 1 }.'],
  [{}, 'toHaveChanged: an object names no table. Pass numbers by table'],
  [5, 'toHaveChanged: 5 names no table.'],
])('toHaveChanged refuses %j', async (counts, problem) => {
  const sandbox = await createFreshSandbox('empty')
  expect(() => expect(sandbox).toHaveChanged(counts as never)).toThrow(problem)
  expect(() => expect(sandbox).not.toHaveChanged(counts as never)).toThrow(problem)
})

it('matchers refuse unknown options and values that are no sandbox', async () => {
  const sandbox = await createFreshSandbox('empty')
  const wrong = { onyl: true } as never
  expect(() => expect(sandbox).toHaveChanged({ tags: { added: 0 } }, wrong)).toThrow(
    'there is no option "onyl". Use one of only.',
  )
  expect(() => expect(sandbox).toHaveChanged(undefined, { only: true })).toThrow('name the tables')
  expect(() => expect(sandbox).not.toHaveReceived({}, { time: 2 } as never)).toThrow(
    'toHaveReceived: there is no option "time". Do you mean times?',
  )
  expect(() => expect(sandbox).toHaveReceived({}, { times: 1.5 })).toThrow('times is 1.5')
  expect(() => expect(sandbox).toCostAtMost('5' as never)).toThrow('the number of credits is "5"')
  await expect(expect(sandbox).toHaveNoFindings({ form: 'hint' } as never)).rejects.toThrow(
    'toHaveNoFindings: there is no option "form". Use one of from.',
  )
  for (const matcher of ['toHaveChanged', 'toHaveReceived', 'toCostAtMost'] as const)
    expect(() => expect({})[matcher](1 as never)).toThrow(
      `${matcher}: expect was given an object. Give it a sandbox or a world`,
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
