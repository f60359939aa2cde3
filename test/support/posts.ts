import type { Client } from './client.ts'

/** The account's published posts outside the archives, newest first: what the plain feed holds. */
export const feedOf = ({ sandbox }: Client, account: number) =>
  sandbox.db.posts
    .where(
      (post) => post.accountId === account && post.status === 'published' && post.bucket === null,
    )
    .toSorted((a, b) => (a.postedAtPrecise < b.postedAtPrecise ? 1 : -1))
/** The ids of posts. */
export const idsOf = (posts: readonly { id: number }[]) => posts.map(({ id }) => id)
/** A medium of that type in the account's vault that is ready. */
export const mediaOf = ({ sandbox }: Client, account: number, type = 'photo') =>
  sandbox.db.vaultMedia.find(
    (media) => media.accountId === account && media.type === type && media.isReady,
  )!
