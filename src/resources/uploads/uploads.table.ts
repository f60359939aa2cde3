import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { defineTable, recordTime } from '../../data/define-table.ts'
import { MediaType as MediaTypeSchema } from '../media/schemas.ts'

/** An upload of a file to the vault. The bytes are counted and hashed, but not stored. */
export const Upload = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  key: z.string(),
  type: MediaTypeSchema,
  isSecure: z.boolean().default(false),
  partCount: z.int(),
  received: z.array(z.object({ number: z.int(), etag: z.string(), size: z.int() })).default([]),
  createdAt: recordTime,
  /** The id of the resulting media item. Null until the upload is finished. */
  mediaId: z.int().nullable().default(null),
}))
export type Upload = Readonly<z.infer<typeof Upload>>

export const uploads = defineTable({
  schema: Upload,
  references: { accountId: 'accounts' },
  indexes: {},
})
