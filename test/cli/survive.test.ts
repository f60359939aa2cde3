import { expect, it } from 'vitest'
import { client, survive } from '../support/survive.ts'

// survive.long.test.ts runs commands.
it.each([
  ['Failed to run no-such-program: there is no such program', ['--', 'no-such-program']],
  ['the command is missing. Write it after --', []],
  ['must be one of absent-fields', ['--only', 'short-page', ...client('')]],
  ['Failed to read --expect-error ("(")', ['--expect-error', '(', ...client('')]],
  ['it must be a duration from 1ms to 10m, such as', ['--late', 'soon', ...client('')]],
])('rejects a command: %s', async (message, flags) => {
  const { code, stderr } = await survive(...flags)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})
