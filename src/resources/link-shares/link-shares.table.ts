import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable, recordTime } from '../../data/define-table.ts'
import { LinkKind, toLinkKey } from '../links/links.table.ts'

/** A public page of a link. Its id is the token in its URL. */
export const LinkShare = lazyObject(() => ({
  id: z.uuid(),
  /** Sequence number that orders pages with the same creation time. */
  number: z.int(),
  accountId: z.int(),
  kind: LinkKind,
  linkId: z.int(),
  label: z.string().nullable().default(null),
  expiresAt: recordTime.nullable().default(null),
  createdAt: recordTime,
  updatedAt: recordTime,
}))
export type LinkShare = Readonly<z.infer<typeof LinkShare>>

export const linkShares = defineTable({
  schema: LinkShare,
  references: {
    accountId: 'accounts',
    linkId: (share) => (share.kind === 'tracking' ? 'trackingLinks' : 'trialLinks'),
  },
  indexes: {
    byLink: {
      group: (share) => toLinkKey(share.kind, share.linkId),
      order: compareAscending(
        (share) => share.createdAt,
        (share) => share.number,
      ),
    },
  },
})
