import type { Client } from './client.ts'

/**
 * Returns an account's published posts that are not archived. The order is that of the unfiltered
 * feed, newest first.
 */
export const feedOf = ({ sandbox }: Client, account: number) =>
  sandbox.db.posts
    .where(
      (post) => post.accountId === account && post.status === 'published' && post.bucket === null,
    )
    .toSorted((a, b) => (a.postedAtPrecise < b.postedAtPrecise ? 1 : -1))
/** Returns a ready media item of the given type from the account's vault. */
export const mediaOf = ({ sandbox }: Client, account: number, type = 'photo') =>
  sandbox.db.vaultMedia.find(
    (media) => media.accountId === account && media.type === type && media.isReady,
  )!
