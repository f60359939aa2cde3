/** The calls that each generated client must support, with their values. */
export interface Calls {
  /** Returns the `status` of the service's health. */
  health: () => Promise<string>
  /** Returns the ids of the connected accounts. */
  accounts: () => Promise<string[]>
  /** Returns a page of the feed. `before` is the `tailMarker` of the previous page. */
  posts: (page: {
    limit: number
    before?: string
  }) => Promise<{ ids: number[]; tailMarker: string }>
  /** Publishes a post and returns its id. */
  createPost: (text: string) => Promise<number>
  /** Returns the plain text of a post. */
  postText: (id: number) => Promise<string>
  deletePost: (id: number) => Promise<boolean>
  /** Returns the last payments of a fan, dollars. Null if an amount is unknown. */
  amounts: (fan: number, limit: number) => Promise<(number | null)[]>
  /** Returns the total payments of a fan, dollars. */
  spent: (fan: number) => Promise<number>
  /** Returns the name of a user list. The id is a number, or the slug of a built-in list. */
  listName: (list: number | 'fans') => Promise<string>
  /** Returns the error for reading a post. */
  refusal: (id: number) => Promise<{ status: number; error: string }>
}

/** Opens a client for an account on a server, with a key. */
export type Connect = (server: { url: string; key: string; account: number }) => Calls
