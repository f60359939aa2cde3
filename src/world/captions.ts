import { z } from 'zod'

/** A caption for viewers, and the sandbox time when it appeared. */
export const Note = z.strictObject({ at: z.iso.datetime().max(40), text: z.string().max(500) })
export type Note = z.infer<typeof Note>

/** Maximum number of captions per world. */
export const maxNotes = 100
