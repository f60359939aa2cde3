import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable, recordTime } from '../../data/define-table.ts'

/** A tag that an organisation uses for its links. */
export const Tag = lazyObject(() => ({
  id: z.int(),
  organisation: z.int(),
  name: z.string(),
  color: z.string().nullable().default(null),
  created_at: recordTime,
}))
export type Tag = Readonly<z.infer<typeof Tag>>

export const tags = defineTable({
  schema: Tag,
  references: { organisation: 'organisations' },
  firstId: 510,
  indexes: {
    byOrganisation: { group: (tag) => tag.organisation, order: compareAscending((tag) => tag.id) },
  },
})
