import { expect, it } from 'vitest'
import { importModules } from '../../src/lib/import-modules.ts'

it('imports again while Jest refuses imports between two tests', async () => {
  let calls = 0
  const load = async () => {
    calls += 1
    if (calls < 4)
      throw new ReferenceError(
        'You are trying to `import` a file outside of the scope of the test code.',
      )
    return 'module'
  }
  expect([await importModules(load), calls]).toEqual(['module', 4])
})

it('passes on any other error', async () => {
  const failure = new ReferenceError(
    'You are trying to `import` a file after the Jest environment has been torn down.',
  )
  await expect(importModules(() => Promise.reject(failure))).rejects.toBe(failure)
})
