import { z } from 'zod'

/** A caption for the audience, and the time at which it appeared. */
export const Note = z.strictObject({ at: z.iso.datetime().max(40), text: z.string().max(500) })
export type Note = z.infer<typeof Note>

/** Maximum number of captions that a world keeps. */
export const maxNotes = 100
