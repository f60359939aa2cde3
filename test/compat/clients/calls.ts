/** The calls that each generated client must support, with their values. */
export interface Calls {
  /** Returns `status` of the health of the service. */
  health: () => Promise<string>
  /** The ids of the connected accounts. */
  accounts: () => Promise<string[]>
  /** A page of the feed. `before` is the `tailMarker` of the previous page. */
  posts: (page: {
    limit: number
    before?: string
  }) => Promise<{ ids: number[]; tailMarker: string }>
  /** Publishes a post, and returns its id. */
  createPost: (text: string) => Promise<number>
  /** The plain text of a post. */
  postText: (id: number) => Promise<string>
  deletePost: (id: number) => Promise<boolean>
  /** The last payment of a fan, dollars. Null if the amount is not known. */
  amounts: (fan: number, limit: number) => Promise<(number | null)[]>
  /** The total payments of a fan, dollars. */
  spent: (fan: number) => Promise<number>
  /** The name of a user list. The id is a number, or the slug of a built-in list. */
  listName: (list: number | 'fans') => Promise<string>
  /** The error of reading a post. */
  refusal: (id: number) => Promise<{ status: number; error: string }>
}

/** Opens a client on a server, with a key and for an account. */
export type Connect = (server: { url: string; key: string; account: number }) => Calls
