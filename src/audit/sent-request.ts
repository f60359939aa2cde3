import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { SandboxError } from '../errors.ts'
import type { RouteId } from '../generated/inputs.ts'

/** A client request with its response. Both bodies can be read as JSON. */
export interface SentRequest extends Omit<JournalEntry, 'route' | 'response'> {
  /** The route, or null if no route matched. */
  route: RouteId | null
  response: JournalEntry['response'] & {
    /**
     * Parses the response body as JSON.
     *
     * @throws {SandboxError} if the body is not JSON
     */
    json: <Body = unknown>() => Body
  }
  /**
   * Parses the request body as JSON.
   *
   * @throws {SandboxError} if the body is not JSON
   */
  json: <Body = unknown>() => Body
}

/**
 * Adds methods that parse the bodies of a journal entry as JSON. The methods are not enumerable.
 */
export function toSentRequest(entry: JournalEntry): SentRequest {
  const read = (body: string | null, what: string) => () =>
    parse(body, `${what} of ${entry.method} ${entry.path}`)
  Object.defineProperty(entry.response, 'json', {
    value: read(entry.response.body, 'the response'),
  })
  return Object.defineProperty(entry, 'json', {
    value: read(entry.request.body, 'the body'),
  }) as SentRequest
}

function parse(body: string | null, what: string): unknown {
  if (body === null) throw new SandboxError(`Failed to read ${what} as JSON: it is empty.`)
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new SandboxError(`Failed to read ${what} as JSON: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}
