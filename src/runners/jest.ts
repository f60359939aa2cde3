import { matchers } from '../audit/matchers.ts'
import type { SandboxMatchers } from '../audit/matchers.ts'
import { SandboxError } from '../errors.ts'

declare global {
  namespace jest {
    // Jest declares it so, and what is added to it must be declared alike.
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends SandboxMatchers<R> {}
  }
}

const { expect } = globalThis as { expect?: { extend?: (added: typeof matchers) => void } }
if (typeof expect?.extend !== 'function')
  throw new SandboxError(
    'Failed to add the matchers of a sandbox: there is no expect here. ' +
      "Name 'creator-api-sandbox/jest' in setupFilesAfterEnv of the Jest configuration.",
  )
expect.extend(matchers)
