import type { IgnoredParameter } from './ignored-parameters.ts'

/** A request of a client and its response. */
export interface JournalEntry {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Real time when the request arrived, RFC 3339; null without the option `realTime`. */
  real_at: string | null
  /** Real time until the response, ms; null without `realTime`. */
  duration_ms: number | null
  /**
   * The sender: a client, the story of a recording, or a user of the console or the documentation
   * page.
   */
  asked_by: 'client' | 'story' | 'console' | 'docs'
  method: string
  /** The path and the query string. Credentials are replaced by their role or length. */
  path: string
  /** The route, such as `GET /v1/:account_id/posts`; null if no route matched. */
  route: string | null
  account_id: number | null
  organisation: number | null
  /**
   * The key: an ellipsis and its last four characters, such as `…9f2c`. For a key that the sandbox
   * does not know: `<unknown key, 12 characters>`. Null if no key was sent.
   */
  key: string | null
  /** The role of the key; null if the key is unknown or absent. */
  role: string | null
  status: number
  credits: number
  /** The error message; null on success. */
  error: string | null
  /** The code of the error in docs/errors.md; null on success, or if a fault set the response. */
  code: string | null
  /** The id of the fault that hit the request; 0 if the hit was part of a recorded story. */
  fault: number | null
  /** For an unknown path: similar routes. */
  near_misses: readonly string[]
  /**
   * The reason why the key was rejected, or a note that the world had been removed earlier. Usually
   * null.
   */
  note: string | null
  /** The parameters that the route does not know. */
  ignored: readonly IgnoredParameter[]
  request: JournalMessage & {
    /**
     * Headers by lower-case name. Credentials are replaced by their role or length. Empty if the
     * host does not pass headers.
     */
    headers: Readonly<Record<string, string>>
  }
  response: JournalMessage & {
    /** The headers, without those that the host adds, such as `content-length`. */
    headers: Readonly<Record<string, string>>
  }
}

/** The body of a request or a response. */
interface JournalMessage {
  content_type: string | null
  /** The body as text; null if there was no body, and for files. */
  body: string | null
  /** The size of the body, bytes. */
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
  | 'ignored'
> & {
  /** The size of the response's body, bytes. */
  bytes: number
}
