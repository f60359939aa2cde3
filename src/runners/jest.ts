import { matchers } from '../audit/matchers.ts'
import type { SandboxMatchers } from '../audit/matchers.ts'
import { TestReports } from '../audit/test-report.ts'
import type { Reported } from '../audit/test-report.ts'
import { SandboxError } from '../errors.ts'

declare global {
  namespace jest {
    // The declaration must match the one in Jest.
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends SandboxMatchers<R> {}
  }
}

const { expect, beforeEach, afterEach } = globalThis as unknown as {
  expect?: { extend?: (added: typeof matchers) => void }
  beforeEach: (hook: () => Promise<void>) => void
  afterEach: (hook: () => Promise<void>) => void
}
if (typeof expect?.extend !== 'function')
  throw new SandboxError(
    'Failed to add the matchers of a sandbox: there is no global expect. Add ' +
      "'creator-api-sandbox/jest' to setupFilesAfterEnv in the Jest configuration.",
  )
expect.extend(matchers)

/** Events of jest-circus, Jest's test runner. */
type JestEvent = { name: 'test_fn_failure'; error: unknown } | { name: 'test_start' }

/**
 * For each failed test in a file, adds the requests that the test sent to the sandbox and the audit
 * findings to the error message. Call this function once, outside the tests, before an `afterEach`
 * that closes the sandbox.
 *
 * @throws {SandboxError} if Jest does not use its default runner, jest-circus
 * @example
 * reportFailures(() => sandbox)
 */
export function reportFailures(sandboxOf: () => Reported | undefined): void {
  const reports = new TestReports(sandboxOf)
  let failure: unknown
  listen((event) => {
    if (event.name === 'test_fn_failure') failure = event.error
  })
  beforeEach(() => {
    failure = undefined
    return reports.start()
  })
  afterEach(async () => {
    const text = failure instanceof Error ? await reports.report() : undefined
    if (failure instanceof Error && text !== undefined) addText(failure, text)
  })
}

/** Listens to jest-circus events, like its own `addEventHandler`. */
function listen(handler: (event: JestEvent) => void): void {
  const handlers = (globalThis as Record<symbol, unknown>)[Symbol.for('EVENT_HANDLERS')]
  if (!Array.isArray(handlers))
    throw new SandboxError(
      'Failed to report failures: the test runner is not jest-circus. Remove testRunner from ' +
        'the Jest configuration.',
    )
  handlers.push(handler)
}

/** Appends text to an error's message and to its stack, from which Jest prints the message. */
function addText(error: Error, text: string): void {
  const { message, stack } = error
  error.message = `${message}\n\n${text}\n`
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}
