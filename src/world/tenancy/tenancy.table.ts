import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable, recordTime } from '../../data/define-table.ts'

/** An organisation. It owns accounts, keys, tags, rate windows and credits. */
export const Organisation = lazyObject(() => ({
  id: z.int(),
  name: z.string(),
  limits: z.object({ minute: z.int().min(0), day: z.int().min(0) }),
  /** Remaining credits. Null if credits are not counted. */
  credits: z.int().min(0).nullable(),
  isSubscriptionActive: z.boolean(),
}))
export type Organisation = Readonly<z.infer<typeof Organisation>>

/** An API key, with all permissions of its role. */
export const ApiKey = lazyObject(() => ({
  id: z.int(),
  key: z.string().min(1),
  role: z.string(),
  organisation: z.int(),
  permissions: z.array(z.string()),
}))
export type ApiKey = Readonly<z.infer<typeof ApiKey>>

/** A creator account that an organisation connected. */
export const Account = lazyObject(() => ({
  id: z.int(),
  organisation: z.int(),
  username: z.string(),
  name: z.string(),
  avatar: z.string(),
  about: z.string(),
  subscribePrice: z.number(),
  joinDate: recordTime,
  /** Relay routes reach the platform only while the session is active. */
  session: z.enum(['active', 'lapsed']),
  connected: z.boolean(),
  /** Name of the creator's persona, which determines the style of seeded texts. */
  persona: z.string().default(''),
}))
export type Account = Readonly<z.infer<typeof Account>>

export const organisations = defineTable({ schema: Organisation, indexes: {} })

export const apiKeys = defineTable({
  schema: ApiKey,
  references: { organisation: 'organisations' },
  indexes: {
    byKey: { group: (key) => key.key, order: compareAscending((key) => key.id) },
    byOrganisation: { group: (key) => key.organisation, order: compareAscending((key) => key.id) },
  },
})

export const accounts = defineTable({
  schema: Account,
  references: { organisation: 'organisations' },
  indexes: {
    byOrganisation: {
      group: (account) => account.organisation,
      order: compareAscending((account) => account.id),
    },
    byUsername: {
      group: (account) => account.username.toLowerCase(),
      order: compareAscending((account) => account.id),
    },
  },
})

/** Tables that the request pipeline needs in every world. */
export const tenancyTables = { organisations, apiKeys, accounts }
export type TenancyTables = typeof tenancyTables
