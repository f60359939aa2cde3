import { z } from 'zod'

const text = z.string().min(1).max(2000)
const texts = z.array(text).max(1000)
const weight = z.number().positive().max(1000)

/** What a creator posts about. */
const Topic = z.lazy(() =>
  z.strictObject({
    weight: weight.default(1).describe('How often, beside the other topics.'),
    pictures: z
      .array(z.string().min(1).max(40))
      .max(40)
      .default([])
      .describe('What its pictures show, by tag; the first ones matter most.'),
  }),
)

/** The captions of a topic. A phrase may begin with its conditions, such as `(morning, winter)`, and has values in braces. */
const TopicCaptions = z.lazy(() =>
  z.strictObject({
    brief: texts.default([]).describe('Captions of a sentence. Each is used once.'),
    scenes: z
      .array(z.strictObject({ open: texts.min(1), turn: texts.default([]), close: texts.default([]) }))
      .max(200)
      .default([])
      .describe('What happened, what came of it, a last word: each sentence goes with all others of its scene.'),
  }),
)

/** Talk about a topic under a post. */
const TopicComments = z.lazy(() =>
  z.strictObject({ fans: texts.default([]).describe('What fans say.'), replies: texts.default([]).describe('What the creator answers.') }),
)

/** An hour of the day as a text, 0 to 23. */
const hour = z.string().regex(/^(1?\d|2[0-3])$/)
const anyWeight = weight.optional()

/** Who a creator is: what they post about and when, and how they speak. */
export const Persona = z.lazy(() =>
  z.strictObject({
    trade: text.describe('What they do, in a few words.'),
    voice: text.describe('How they write: for those who add lines.'),
    lowerCase: z.boolean().default(false).describe('Whether their sentences begin with small letters.'),
    city: text.describe('Where they live.'),
    utcOffset: z.number().min(-12).max(14).default(0).describe('Hours that their clock is ahead of UTC in winter.'),
    summerTime: z.enum(['europe', 'america', 'none']).default('none').describe('By whose rule their clock moves in summer.'),
    awake: z
      .strictObject({ from: z.int().min(0).max(23), until: z.int().min(1).max(30) })
      .default({ from: 7, until: 23 })
      .describe('The hours of their day in which they answer. 25 is one in the morning.'),
    about: text.describe('What their profile says, where the account says nothing.'),
    posting: z
      .strictObject({
        days: z
          .strictObject({ mon: anyWeight, tue: anyWeight, wed: anyWeight, thu: anyWeight, fri: anyWeight, sat: anyWeight, sun: anyWeight })
          .prefault({})
          .describe('How much they post on each day of the week. Absent: 1.'),
        hours: z.record(hour, weight).default({}).describe('And at each hour of their day. None: any that they are awake.'),
      })
      .prefault({}),
    topics: z.record(z.string().max(40), Topic).refine((topics) => Object.keys(topics).length > 0, { error: 'it must have a topic' }),
    captions: z.record(z.string(), TopicCaptions).default({}).describe('What they write under their posts, by topic.'),
    comments: z.record(z.string(), TopicComments).default({}).describe('What is said under their posts, by topic.'),
    /** What `audience` says of the people who come, stay and leave. */
    audience: z.strictObject({}).optional(),
    /** What `money` says of prices and of what is bought. */
    money: z.strictObject({}).optional(),
  }),
)
export type Persona = z.infer<typeof Persona>
