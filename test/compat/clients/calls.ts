/** Calls that each generated client must support. */
export interface Calls {
  /** Returns the service's health status. */
  health: () => Promise<string>
  /** Returns the ids of the connected accounts. */
  accounts: () => Promise<string[]>
  /** Returns a page of the feed. `before` is the previous page's `tailMarker`. */
  posts: (page: {
    limit: number
    before?: string
  }) => Promise<{ ids: number[]; tailMarker: string }>
  /** Publishes a post and returns its id. */
  createPost: (text: string) => Promise<number>
  /** Returns the plain text of a post. */
  postText: (id: number) => Promise<string>
  deletePost: (id: number) => Promise<boolean>
  /** Returns the amounts of a fan's latest payments, dollars, or null if an amount is unknown. */
  amounts: (fan: number, limit: number) => Promise<(number | null)[]>
  /** Returns the sum of a fan's payments, dollars. */
  spent: (fan: number) => Promise<number>
  /** Returns the name of a user list. The id is a number, or a slug for a built-in list. */
  listName: (list: number | 'fans') => Promise<string>
  /** Requests a post that the server does not return. Returns the error. */
  refusal: (id: number) => Promise<{ status: number; error: string }>
}

/** Opens a client for an account on a server, with a key. */
export type Connect = (server: { url: string; key: string; account: number }) => Calls
