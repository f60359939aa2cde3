import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { duration } from './expand-timeline.ts'

/** Maximum number of reads of a story's client. */
const maxReads = 12

/** A client that lives through a story on the stage. */
export const StoryClient = lazyStrictObject(() => ({
  key: z.string().max(200).describe('The role of its key.'),
  every: duration.describe('Interval between two requests.'),
  reads: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(60).describe('What it reads, for an audience.'),
        path: z.string().max(2000).startsWith('/v1/'),
        opens: z
          .boolean()
          .default(false)
          .describe('true: also opens the first media link in the response.'),
      }),
    )
    .min(1)
    .max(maxReads),
}))
export type StoryClient = z.infer<typeof StoryClient>
