import { errorCatalogue } from './error-catalogue.ts'
import type { CatalogueEntry, ErrorCode } from './error-catalogue.ts'

/** Advice that is shown when a memory limit is reached. */
export const budgetAdvice =
  'Delete records, remove worlds (DELETE /_sandbox/worlds/{id}), empty ' +
  'the journal (DELETE /_sandbox/requests), reset, or raise the limit.'

/** An API error response: its status and the message in its body. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number

  constructor(code: ErrorCode, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

/**
 * Creates an error from the catalogue. `values` fills its placeholders, and `status` overrides its
 * status.
 */
export function createApiError(
  code: ErrorCode,
  values: Record<string, string | number> = {},
  status?: number,
): ApiError {
  const entry: CatalogueEntry = errorCatalogue[code]
  const message = entry.message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = String(values[name] ?? placeholder)
    // Only `expected` is the sandbox's own text. All other values may quote the request, so they
    // are truncated.
    return name === 'expected' ? value : truncateForMessage(value)
  })
  return new ApiError(code, status ?? entry.status, message)
}

/** An error for the developer who uses the sandbox, never sent to API clients. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Path of the input field that caused the error, such as `amount` or `actions[1].amount`. */
  declare readonly field?: string

  constructor(message: string, options: ErrorOptions & { field?: string | undefined } = {}) {
    super(message, options)
    if (options.field !== undefined) this.field = options.field
  }
}

/** Creates the error for a field of an action, given as `{ name: value }`. */
export function createInputError(input: object, problem: string): SandboxError {
  const [[field = '', value] = []] = Object.entries(input)
  return new SandboxError(`${field} is ${String(value)}, ${problem}`, { field })
}

/** Creates the error for using a sandbox before its data is loaded. */
export function createNotReadyError(verb: string): SandboxError {
  return new SandboxError(`Failed to ${verb}: the sandbox is not ready. Await sandbox.ready first.`)
}

/** Creates the error for a story in which a step failed. */
export function createStoryError(problem: string): SandboxError {
  return new SandboxError(`Failed to play the story: ${problem}`)
}

/**
 * Makes the stack trace of a SandboxError start at the method's caller. Other errors are bugs of
 * the sandbox and keep their full stack trace.
 */
export function trimStackToCaller(error: unknown, method: (...args: never[]) => unknown): unknown {
  const { captureStackTrace } = Error as {
    captureStackTrace?: (target: Error, above: unknown) => void
  }
  if (error instanceof SandboxError) captureStackTrace?.(error, method)
  return error
}

/**
 * Runs the body of a method so that its errors point to the method's caller (see
 * `trimStackToCaller`).
 */
export function runWithTrimmedStack<Result>(
  method: (...args: never[]) => unknown,
  job: () => Result,
): Result {
  try {
    return job()
  } catch (error) {
    throw trimStackToCaller(error, method)
  }
}

/**
 * Like `runWithTrimmedStack`, but for an asynchronous body, which may fail after the caller has
 * left the stack.
 */
export async function runWithTrimmedStackAsync<Result>(
  method: (...args: never[]) => unknown,
  job: () => Promise<Result>,
): Promise<Result> {
  const call = trimStackToCaller(new SandboxError(''), method) as SandboxError
  try {
    return await job()
  } catch (error) {
    const lines = call.stack?.indexOf('\n    at ') ?? -1
    if (error instanceof SandboxError && lines !== -1)
      error.stack = `${error.name}: ${error.message}${call.stack?.slice(lines)}`
    throw error
  }
}

/**
 * Wraps all methods of an object, including inherited ones, so that their errors point to the
 * caller (see `trimStackToCaller`). The wrapped methods do not need `this`.
 */
export function wrapWithTrimmedStack<Methods extends object>(methods: Methods): Methods {
  const wrap = (method: (...args: unknown[]) => unknown) =>
    function wrapped(...args: unknown[]): unknown {
      try {
        return method.apply(methods, args)
      } catch (error) {
        throw trimStackToCaller(error, wrapped)
      }
    }
  return Object.fromEntries(
    listMethodNames(methods).map((name) => {
      const value: unknown = Reflect.get(methods, name)
      return [name, typeof value === 'function' ? wrap(value as never) : value]
    }),
  ) as Methods
}

function listMethodNames(methods: object): string[] {
  const parent = Object.getPrototypeOf(methods) as object | null
  if (parent === null || methods === Object.prototype) return []
  const own = Object.getOwnPropertyNames(methods).filter((name) => name !== 'constructor')
  return [...own, ...listMethodNames(parent)]
}

/** Thrown if a world is temporarily unavailable. The same request may succeed later. */
export class UnavailableError extends SandboxError {}

/** Thrown in a request that was sent before the sandbox was reset, so it must not change it. */
export class OutdatedRequestError extends SandboxError {
  constructor() {
    super('Failed to handle the request: it was sent before the sandbox was reset.')
  }
}

/** Thrown if the queue of a busy world is full. */
export class QueueFullError extends UnavailableError {}

/**
 * Thrown if an operation would read more rows than a server allows. In-process use has no such
 * limit.
 */
export class TooManyRowsError extends SandboxError {}

/**
 * Thrown if an operation would exceed the memory limit. The message explains how to free memory.
 */
export class MemoryLimitError extends SandboxError {
  /** Memory limit, MB. */
  readonly limitMb: number

  /** @param verb the operation, such as `create a world` */
  constructor(verb: string, limitMb: number) {
    super(
      `Failed to ${verb}: it would exceed the memory limit of ${limitMb} MB (--max-memory, ` +
        `maxMemory). ${budgetAdvice}`,
    )
    this.limitMb = limitMb
  }
}

/**
 * Creates the 400 error for an invalid parameter.
 * @param expected the allowed values, such as `it must be an integer from 1 to 100`
 */
export function createInvalidParameterError(
  place: ParameterPlace,
  name: string,
  received: unknown,
  expected: string,
): ApiError {
  return createApiError('parameter_invalid', {
    place,
    name,
    received: describeValue(received),
    expected,
  })
}

/** Creates the 400 error for a query parameter, given as `{ name: value }`. */
export function createQueryParameterError(parameter: object, expected: string): ApiError {
  return createFieldError('Query parameter', parameter, expected)
}

/** Creates the 400 error for a field of the body, given as `{ name: value }`. */
export function createBodyFieldError(field: object, expected: string): ApiError {
  return createFieldError('Body field', field, expected)
}

function createFieldError(place: ParameterPlace, field: object, expected: string): ApiError {
  const [[name = '', value] = []] = Object.entries(field)
  return createInvalidParameterError(place, name, value, expected)
}

/** The part of the request that contains a parameter. */
export type ParameterPlace = 'Path parameter' | 'Query parameter' | 'Body field'

/** Maximum length of quoted input in a message. */
const maxShownLength = 200

/**
 * Truncates text for a message: first characters, ellipsis, total length. All messages that quote
 * input use it to limit their length.
 */
export function truncateForMessage(text: string, maxLength: number = maxShownLength): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length} characters)`
}

/** Quotes input for a message, truncated as by `truncateForMessage`. */
export function quoteText(text: string, maxLength: number = maxShownLength): string {
  if (text.length <= maxLength) return JSON.stringify(text)
  const start = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
  return `${JSON.stringify(`${start}…`)} (${text.length} characters)`
}

/** Describes a value in a few words, without the contents of objects and arrays. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quoteText(value, 80)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `the bigint ${truncateForMessage(String(value), 80)}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return truncateForMessage(String(value), 80)
}
