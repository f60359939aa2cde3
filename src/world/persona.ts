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

const share = z.number().min(0).max(1)
const wholePrices = z.array(z.int().min(3).max(1000)).min(1).max(100)
const spendingOn = (usual: number) => weight.default(usual)

/** The people who come, stay and leave. */
const Audience = z
  .strictObject({
    churn: z.number().min(0.05).max(0.6).default(0.27).describe('The share of subscribers whom a month loses.'),
    comeback: share.default(0.3).describe('The share of those who left who come back one day.'),
    growth: weight.default(2).describe('How many come in the last month for each one two years before.'),
  })
  .describe('The people who come, stay and leave.')

/** What is bought, and what it costs. */
const Money = z
  .strictObject({
    days: z
      .strictObject({
        mon: spendingOn(0.85),
        tue: spendingOn(0.65),
        wed: spendingOn(0.6),
        thu: spendingOn(0.75),
        fri: spendingOn(1.2),
        sat: spendingOn(1.65),
        sun: spendingOn(1.5),
      })
      .prefault({})
      .describe('How much fans spend on each day of the week. Renewals come every 30 days, whatever the day.'),
    buys: z
      .strictObject({ tips: weight.default(46), unlocks: weight.default(48), others: weight.default(6) })
      .prefault({})
      .describe('How often fans tip, unlock posts, and buy what nobody can tell, beside months and messages.'),
    tips: z
      .strictObject({ median: z.number().min(1).max(200).default(8), spread: z.number().positive().max(2).default(1) })
      .prefault({})
      .describe('The usual tip, dollars; the larger the spread, the longer the tail.'),
    paidPosts: share.default(0.2).describe('The share of posts with media that have a price.'),
    posts: wholePrices.default([8, 10, 12, 14, 15, 18, 20]).describe('Prices of posts, whole dollars.'),
    messages: wholePrices.default([15, 18, 20, 22, 25, 30]).describe('Prices of messages to many, whole dollars.'),
  })
  .describe('What is bought, and what it costs.')

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
    audience: Audience.prefault({}),
    money: Money.prefault({}),
  }),
)
export type Persona = z.infer<typeof Persona>
