import type { IgnoredParameter } from './ignored-parameters.ts'

/** A request of a client and its answer. */
export interface JournalEntry {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Real time when it came, RFC 3339; null if the sandbox was given no `realTime`. */
  real_at: string | null
  /** Time until the answer, real ms; null without `realTime`. */
  duration_ms: number | null
  /**
   * The sender: a client, the story of a recording, or a person at the console or the documents
   * page of the server.
   */
  asked_by: 'client' | 'story' | 'console' | 'docs'
  method: string
  /** The path and the query string. Credentials are replaced by their role or length. */
  path: string
  /** The route that answered, such as `GET /v1/:account_id/posts`; null if none did. */
  route: string | null
  account_id: number | null
  organisation: number | null
  /**
   * The last four characters of the key after an ellipsis, such as `…9f2c`, or `<unknown key, 12
   * characters>` for a key that the sandbox does not have; null if no key was sent.
   */
  key: string | null
  /** The role of the key; null without a key of the sandbox. */
  role: string | null
  status: number
  credits: number
  /** The error message; null on success. */
  error: string | null
  /** The code of the error in docs/errors.md; null on success, and for an answer of a fault. */
  code: string | null
  /** The id of the fault that hit the request; 0 if it was hit when the story was recorded. */
  fault: number | null
  /** For an unknown path: the routes that resemble it. */
  near_misses: readonly string[]
  /** A note: why the key was refused, or that the world had been dropped before; usually null. */
  note: string | null
  /** The parameters that the route does not know. */
  ignored: readonly IgnoredParameter[]
  request: JournalMessage & {
    /**
     * By lower-case name. Credentials are replaced by their role or length. Empty if the host
     * passes no headers.
     */
    headers: Readonly<Record<string, string>>
  }
  response: JournalMessage & {
    /** The headers of the answer before the host adds its own, such as `content-length`. */
    headers: Readonly<Record<string, string>>
  }
}

/** The body of a request or an answer. */
interface JournalMessage {
  content_type: string | null
  /** As text; null if there was none, and for files. */
  body: string | null
  /** The size of the body. */
  bytes: number
}

/** A request without its bodies, for a list. */
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
> & {
  /** The size of the answer's body. */
  bytes: number
}
