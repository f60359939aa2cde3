import type { IgnoredParameter } from './request-facts.ts'

/** A request of a client and its response. */
export interface JournalEntry {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Real time when the request arrived, RFC 3339. Null without the option `realTime`. */
  real_at: string | null
  /** Real time between the request and its response, ms. Null without `realTime`. */
  duration_ms: number | null
  /**
   * The sender: a client, the story of a recording, or a user of the console or the documentation
   * page.
   */
  asked_by: 'client' | 'story' | 'console' | 'docs'
  method: string
  /** Path and query string. Credentials are replaced with their role or length. */
  path: string
  /** The route, such as `GET /v1/:account_id/posts`. Null if no route matched. */
  route: string | null
  account_id: number | null
  organisation: number | null
  /**
   * The key: an ellipsis and its last four characters, such as `…9f2c`. For a key that the sandbox
   * does not know: `<unknown key, 12 characters>`. Null if no key was sent.
   */
  key: string | null
  /** Role of the key. Null if the key is unknown or was not sent. */
  role: string | null
  status: number
  credits: number
  /** Error message. Null if the request succeeded. */
  error: string | null
  /**
   * Code of the error in docs/errors.md. Null if the request succeeded, or if a fault replaced the
   * response.
   */
  code: string | null
  /**
   * Id of the fault that was applied to the request. 0 if the fault was applied in a recorded
   * story.
   */
  fault: number | null
  /** Names of similar routes, if the path is unknown. */
  near_misses: readonly string[]
  /**
   * Reason why the key was rejected, or a note that the world was removed earlier. Usually null.
   */
  note: string | null
  /** Parameters that the route does not define. */
  ignored: readonly IgnoredParameter[]
  request: JournalMessage & {
    /**
     * Headers by lower-case name. Credentials are replaced with their role or length. Empty if the
     * host does not pass headers.
     */
    headers: Readonly<Record<string, string>>
  }
  response: JournalMessage & {
    /** Response headers, except headers that the host adds, such as `content-length`. */
    headers: Readonly<Record<string, string>>
  }
}

/** The body of a request or a response. */
interface JournalMessage {
  content_type: string | null
  /** The body as text. Null for files, or if there was no body. */
  body: string | null
  /** Size of the body, bytes. */
  bytes: number
}

/** A request without its bodies, for use in a list. */
export type JournalRow = Pick<
  JournalEntry,
  | 'id'
  | 'at'
  | 'real_at'
  | 'duration_ms'
  | 'asked_by'
  | 'method'
  | 'path'
  | 'route'
  | 'account_id'
  | 'key'
  | 'role'
  | 'status'
  | 'error'
  | 'fault'
  | 'ignored'
> & {
  /** Size of the response body, bytes. */
  bytes: number
}
