import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { whenNames } from './local-time.ts'
import { assertKnownPlaceholder } from './text-values.ts'
import { listPlaceholders } from './template.ts'

const text = z.string().min(1).max(2000)
const texts = z.array(text).max(1000)
const weight = z.number().positive().max(1000)
const name = z.string().max(40)
const maxNamed = 1000

/** Schema for a map with a maximum number of entries. */
function createMapSchema<
  Value extends z.ZodType,
  Key extends z.ZodType<string, string> = typeof name,
>(value: Value, key: Key = name as unknown as Key) {
  return z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= maxNamed, {
      error: `it must have at most ${maxNamed} entries`,
    })
    .meta({ maxProperties: maxNamed })
}

const when = z
  .enum(whenNames)
  .optional()
  .describe('The only time at which the text fits, in local time.')

/** A text, and when it fits. */
export const Entry = z.lazy(() => z.union([text, z.strictObject({ text, when })]))
export type Entry = z.output<typeof Entry>
/** A comment of a fan, when it fits, and the creator's reply. */
export const CommentEntry = z.lazy(() =>
  z.union([
    text,
    z.strictObject({
      text,
      when,
      reply: text.optional().describe('An optional reply of the creator.'),
    }),
  ]),
)
export type CommentEntry = z.output<typeof CommentEntry>
const entries = () => z.array(Entry).max(1000)

/** A topic of a creator's posts. */
const Topic = lazyStrictObject(() => ({
  weight: weight.default(1).describe('Frequency, relative to the other topics.'),
  called: text
    .max(40)
    .optional()
    .describe('Word for the topic in offers. Default: the name of the topic.'),
  pictures: z
    .array(z.string().min(1).max(40))
    .max(40)
    .default([])
    .describe('Tags of matching pictures, most important first.'),
  captions: entries().default([]).describe('Captions of posts about the topic.'),
  comments: z
    .array(CommentEntry)
    .max(1000)
    .default([])
    .describe('Comments by fans on posts about the topic.'),
}))

/** The kinds of exchanges. `thanksPost` is for a tip on a post, and `leaving` before the end. */
export const exchangeKinds = [
  'welcome',
  'smalltalk',
  'checkin',
  'content',
  'offer',
  'request',
  'bought',
  'declined',
  'tip',
  'thanks',
  'thanksLarge',
  'thanksPost',
  'gift',
  'photo',
  'refund',
  'return',
  'leaving',
] as const
export type ExchangeKind = (typeof exchangeKinds)[number]

const first = z.enum(['fan', 'creator']).default('fan').describe('Who speaks first.')

/** A short dialogue of a fan and the creator, who take turns. */
export const Exchange = lazyStrictObject(() => ({
  kind: z.enum(exchangeKinds),
  when,
  first,
  lines: z.array(text).min(1).max(8),
  photo: z
    .string()
    .max(60)
    .optional()
    .describe('Name of a picture that the fan sends with the first line.'),
}))
export type Exchange = z.output<typeof Exchange>

/** A long conversation, which one chat contains as a whole. */
export const Conversation = z.strictObject({
  title: text,
  parts: z
    .array(
      z.strictObject({
        /** Days since the previous part. */
        after: z.int().min(0).max(120),
        first,
        lines: z.array(text).min(1).max(40),
      }),
    )
    .min(1),
})

/** Texts of mass messages, by the recipients and the price. */
const MassMessages = lazyStrictObject(() => ({
  free: entries().default([]).describe('Free messages to subscribers.'),
  paid: entries()
    .default([])
    .describe('Messages with paid media, such as `New: {{offer.content}}`.'),
  lapsed: entries().default([]).describe('Messages to former subscribers. They are free.'),
  welcome: entries().default([]).describe('Messages to new subscribers. They are free.'),
}))

const monthAndDay = z
  .string()
  .max(5)
  .regex(/^\d\d-\d\d$/)
/** An hour of the day, from 0 to 23, as a string. */
const hour = z
  .string()
  .max(2)
  .regex(/^(1?\d|2[0-3])$/)
const anyWeight = weight.optional()

const share = z.number().min(0).max(1)
const wholePrices = z.array(z.int().min(3).max(1000)).min(1).max(100)
const spendingOn = (usual: number) => weight.default(usual)

/** Growth and loss of subscribers. */
const Audience = z.lazy(() =>
  z
    .strictObject({
      churn: z
        .number()
        .min(0.05)
        .max(0.6)
        .default(0.27)
        .describe('Share of subscribers who leave each month.'),
      comeback: share.default(0.3).describe('Share of former subscribers who come back.'),
      growth: weight
        .default(2)
        .describe(
          'Number of new subscribers in the last month, divided by the number in the ' +
            'month two years earlier.',
        ),
    })
    .describe('Growth and loss of subscribers.'),
)

/** Purchases and prices. */
const Money = z.lazy(() =>
  z
    .strictObject({
      days: z
        .strictObject({
          mon: spendingOn(0.95),
          tue: spendingOn(0.9),
          wed: spendingOn(0.92),
          thu: spendingOn(0.96),
          fri: spendingOn(1.06),
          sat: spendingOn(1.12),
          sun: spendingOn(1.09),
        })
        .prefault({})
        .describe(
          'Weight of payments on each day of the week. The weight does not apply to renewals, ' +
            'which happen every 30 days.',
        ),
      buys: z
        .strictObject({
          tips: weight.default(30),
          unlocks: weight.default(48),
          others: weight.default(0.6),
        })
        .prefault({})
        .describe(
          'Relative frequency of tips, unlocked posts and other purchases. Excludes ' +
            'subscriptions and messages.',
        ),
      tips: z
        .strictObject({
          median: z.number().min(1).max(200).default(8),
          spread: z.number().positive().max(2).default(1),
        })
        .prefault({})
        .describe(
          'The median tip in dollars, and the spread of tips. A larger spread produces more ' +
            'large tips.',
        ),
      paidPosts: share.default(0.2).describe('Share of posts with media that have a price.'),
      posts: wholePrices
        .default([8, 10, 12, 14, 15, 18, 20])
        .describe('Prices of posts, whole dollars.'),
      messages: wholePrices
        .default([15, 20, 25, 30])
        .describe('Prices of mass messages, whole dollars.'),
    })
    .describe('Purchases and prices.'),
)

/** A creator: the topics and times of their posts, and their texts. */
export const Persona = z.lazy(() =>
  z
    .strictObject({
      trade: text.describe("The creator's occupation, in a few words."),
      lowerCase: z
        .boolean()
        .default(false)
        .describe('true: sentences begin with lower-case letters.'),
      gender: z
        .enum(['woman', 'man'])
        .optional()
        .describe(
          'The words that fans use for the creator, such as beautiful. Default: only words ' +
            'that fit a studio too.',
        ),
      city: text.describe("The creator's city."),
      utcOffset: z
        .number()
        .min(-12)
        .max(14)
        .default(0)
        .describe('Offset of local time from UTC in winter, in hours.'),
      summerTime: z
        .enum(['europe', 'america', 'none'])
        .default('none')
        .describe('Rule for summer time.'),
      awake: z
        .strictObject({ from: z.int().min(0).max(23), until: z.int().min(1).max(30) })
        .default({ from: 7, until: 23 })
        .describe(
          'Local hours between which the creator replies. For example, 25 means 1 a.m. the next ' +
            'day.',
        ),
      about: text.describe('Default profile text.'),
      posting: z
        .strictObject({
          days: z
            .strictObject({
              mon: anyWeight,
              tue: anyWeight,
              wed: anyWeight,
              thu: anyWeight,
              fri: anyWeight,
              sat: anyWeight,
              sun: anyWeight,
            })
            .prefault({})
            .describe('Weight of posts on each day of the week. Default: 1.'),
          hours: createMapSchema(weight, hour)
            .default({})
            .describe('Weight of posts at each hour of the local day. Default: all waking hours.'),
        })
        .prefault({}),
      topics: createMapSchema(Topic).refine((topics) => Object.keys(topics).length > 0, {
        error: 'it must have a topic',
      }),
      emoji: z
        .strictObject({ share: z.number().min(0).max(1), signs: texts.min(1) })
        .optional()
        .describe('Share of texts that end with an emoji, and the emoji.'),
      captions: z
        .array(Entry)
        .max(1000)
        .default([])
        .describe('Captions that fit posts of any topic.'),
      birthday: monthAndDay
        .optional()
        .describe('The birthday, such as 03-21. Fans congratulate the creator on this day.'),
      massMessages: MassMessages.prefault({}),
      exchanges: z
        .array(Exchange)
        .max(1000)
        .default([])
        .describe('Dialogues with fans. They are used before the shared ones of the same kind.'),
      names: z
        .strictObject({
          labels: createMapSchema(z.array(name).max(maxNamed))
            .default({})
            .describe('Labels by name, with the topics of their posts.'),
          vaultLists: texts.default([]),
          userLists: z.array(z.string().min(1).max(64)).max(100).default([]),
          campaigns: texts.default([]).describe('Tracking links.'),
          trials: texts.default([]).describe('Trial links.'),
          offers: texts.default([]).describe('Messages of promotions.'),
        })
        .prefault({})
        .describe(
          'Names of labels, lists and links. Used if a scenario specifies only how many to create.',
        ),
      audience: Audience.prefault({}),
      money: Money.prefault({}),
    })
    .superRefine(checkTexts),
)
export type Persona = z.infer<typeof Persona>

/** Personas by name. */
export const Personas = createMapSchema(Persona)

/** Parts of a persona that are validated together. */
interface PersonaTexts {
  topics: Readonly<Record<string, unknown>>
  captions: unknown
  massMessages: unknown
  exchanges: unknown
  names: { labels: Readonly<Record<string, readonly string[]>> }
}

/**
 * Checks that all topics that a persona mentions exist in it, and that its texts are templates of
 * known values.
 */
function checkTexts(persona: PersonaTexts, context: z.RefinementCtx): void {
  const { topics, captions, massMessages, exchanges, names } = persona
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  for (const [label, named] of Object.entries(names.labels)) {
    for (const topic of named)
      if (!Object.hasOwn(topics, topic))
        add(['names', 'labels', label], `there is no topic ${topic}`)
  }
  for (const [path, written] of listTexts({ topics, captions, massMessages, exchanges }, []))
    try {
      for (const placeholder of listPlaceholders(written)) assertKnownPlaceholder(placeholder)
    } catch (error) {
      add(path, (error as Error).message)
    }
}

/** Returns all texts within a value, each with its path. */
function* listTexts(
  value: unknown,
  path: (string | number)[],
): Generator<[(string | number)[], string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* listTexts(inner, [...path, Array.isArray(value) ? Number(key) : key])
}
