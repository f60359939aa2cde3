import { inspect } from 'node:util'
import { matchers } from './matchers.ts'
import type { SandboxMatchers } from './matchers.ts'
import { TestReports } from './test-report.ts'
import type { Reported } from './test-report.ts'
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

/** A test of jest-circus, Jest's test runner. */
interface JestTest {
  /** The thrown values, each with an error that has the position of the test or hook. */
  errors: [thrown: unknown, position: Error][]
}

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
  let test: JestTest | undefined
  listenForStart((started) => {
    test = started
  })
  beforeEach(() => reports.start())
  afterEach(async () => {
    const errors = test?.errors.at(-1)
    const text = errors && (await reports.report())
    if (errors !== undefined && text !== undefined) addText(errors, text)
  })
}

/** Listens for jest-circus events, like its own `addEventHandler`. */
function listenForStart(onStart: (test: JestTest) => void): void {
  const handlers = (globalThis as Record<symbol, unknown>)[Symbol.for('EVENT_HANDLERS')]
  if (!Array.isArray(handlers))
    throw new SandboxError(
      'Failed to report failures: the test runner is not jest-circus. Remove testRunner from ' +
        'the Jest configuration.',
    )
  handlers.push((event: { name: string; test: JestTest }) => {
    if (event.name === 'test_start') onStart(event.test)
  })
}

/**
 * Appends text to the message of a failure, and to the stack, from which Jest prints the message. A
 * timeout is a string. It is replaced with an error that Jest prints in the same way.
 */
function addText(errors: JestTest['errors'][number], text: string): void {
  const [thrown, position] = errors
  if (!isErrorLike(thrown)) {
    position.message = `thrown: ${typeof thrown === 'string' ? `"${thrown}"` : inspect(thrown)}`
    position.stack = position.stack?.replace(/^[^]*?(?=\n +at )/, () => position.message)
    errors[0] = position
  }
  const error = errors[0] as Error
  const { message, stack } = error
  // Jest does not print the message of a failed node:assert if Node.js generated it.
  if ('generatedMessage' in error) error.generatedMessage = false
  error.message = `${message}\n\n${text}\n`
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}

/** True for errors, including errors of Node.js, which Jest loads in another realm. */
function isErrorLike(thrown: unknown): thrown is Error {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown && 'stack' in thrown
}
