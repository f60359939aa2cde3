import { z } from 'zod'
import { factKinds, momentValues } from './moment.ts'
import { namesIn, parsePhrase } from './phrases.ts'

const text = z.string().min(1).max(2000)
const texts = z.array(text).max(1000)
const weight = z.number().positive().max(1000)
const name = z.string().max(40)
const maxNamed = 1000

/** A map of at most a thousand. */
function mapOf<Value extends z.ZodType, Key extends z.ZodType<string, string> = typeof name>(
  value: Value,
  key: Key = name as unknown as Key,
) {
  return z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= maxNamed, {
      error: `it must have at most ${maxNamed}`,
    })
    .meta({ maxProperties: maxNamed })
}

/** A subject of a creator's posts. */
const Topic = z.lazy(() =>
  z.strictObject({
    weight: weight.default(1).describe('Frequency, relative to the other topics.'),
    called: text
      .max(40)
      .optional()
      .describe('What they call it when they sell something about it. Default: its name.'),
    pictures: z
      .array(z.string().min(1).max(40))
      .max(40)
      .default([])
      .describe('What its pictures show, by tag; the first ones matter most.'),
  }),
)

/**
 * The captions of a topic. A phrase may begin with its conditions, such as `(morning, winter)`, and
 * has values in braces.
 */
const TopicCaptions = z.lazy(() =>
  z.strictObject({
    brief: texts.default([]).describe('Captions of a sentence. Each is used once.'),
    scenes: z
      .array(
        z.strictObject({ open: texts.min(1), turn: texts.default([]), close: texts.default([]) }),
      )
      .max(200)
      .default([])
      .describe(
        'What happened, what came of it, a last word: each sentence goes with all others of its ' +
          'scene.',
      ),
  }),
)

/** A comment of a fan; or one, and what the creator answers; or one on a word of the caption. */
const TopicComment = z.lazy(() =>
  z.union([
    text,
    texts.length(2),
    z.strictObject({
      about: z
        .string()
        .min(1)
        .max(40)
        .describe('What the caption must speak of, as it is written there.'),
      says: text.describe('What a fan says about it.'),
      answer: text.optional().describe('What the creator may answer.'),
    }),
  ]),
)

/** A line of a dialogue: one phrase, or several to choose from. */
const Line = z.lazy(() => z.union([text, texts.min(1)]))
export type Line = z.infer<typeof Line>

/** A dialogue about something for sale. */
const Sale = z.lazy(() =>
  z.strictObject({
    ask: Line.describe('What the fan asks for.'),
    offer: Line.describe('What the creator offers, for a price.'),
    thanks: Line.describe('What the fan says once they have bought it.'),
    reply: Line.optional().describe('What the creator answers to that.'),
  }),
)

const monthAndDay = z
  .string()
  .max(5)
  .regex(/^\d\d-\d\d$/)
/** An hour of the day as a text, 0 to 23. */
const hour = z
  .string()
  .max(2)
  .regex(/^(1?\d|2[0-3])$/)
const anyWeight = weight.optional()

const share = z.number().min(0).max(1)
const wholePrices = z.array(z.int().min(3).max(1000)).min(1).max(100)
const spendingOn = (usual: number) => weight.default(usual)

/** The people who come, stay and leave. */
const Audience = z.lazy(() =>
  z
    .strictObject({
      churn: z
        .number()
        .min(0.05)
        .max(0.6)
        .default(0.27)
        .describe('The share of subscribers whom a month loses.'),
      comeback: share.default(0.3).describe('The share of those who left who come back one day.'),
      growth: weight
        .default(2)
        .describe('How many come in the last month for each one two years before.'),
    })
    .describe('The people who come, stay and leave.'),
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
          'How much fans spend on each day of the week. Renewals come every 30 days, whatever ' +
            'the day.',
        ),
      buys: z
        .strictObject({
          tips: weight.default(30),
          unlocks: weight.default(48),
          others: weight.default(3),
        })
        .prefault({})
        .describe(
          'How often fans tip, unlock posts, and make other purchases, apart from months and ' +
            'messages.',
        ),
      tips: z
        .strictObject({
          median: z.number().min(1).max(200).default(8),
          spread: z.number().positive().max(2).default(1),
        })
        .prefault({})
        .describe('The usual tip, dollars; the larger the spread, the longer the tail.'),
      paidPosts: share.default(0.2).describe('The share of posts with media that have a price.'),
      posts: wholePrices
        .default([8, 10, 12, 14, 15, 18, 20])
        .describe('Prices of posts, whole dollars.'),
      messages: wholePrices
        .default([15, 20, 25, 30])
        .describe('Prices of messages to many, whole dollars.'),
    })
    .describe('What is bought, and what it costs.'),
)

/** A creator: the subjects and times of their posts, and their language. */
export const Persona = z.lazy(() =>
  z
    .strictObject({
      trade: text.describe('What they do, in a few words.'),
      voice: text.describe('How they write: for those who add lines.'),
      lowerCase: z
        .boolean()
        .default(false)
        .describe('Whether their sentences begin with small letters.'),
      city: text.describe('Where they live.'),
      utcOffset: z
        .number()
        .min(-12)
        .max(14)
        .default(0)
        .describe('Hours that their clock is ahead of UTC in winter.'),
      summerTime: z
        .enum(['europe', 'america', 'none'])
        .default('none')
        .describe('By whose rule their clock moves in summer.'),
      awake: z
        .strictObject({ from: z.int().min(0).max(23), until: z.int().min(1).max(30) })
        .default({ from: 7, until: 23 })
        .describe('The hours of their day in which they answer. 25 is one in the morning.'),
      about: text.describe('What their profile says, where the account says nothing.'),
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
            .describe('How much they post on each day of the week. Default: 1.'),
          hours: mapOf(weight, hour)
            .default({})
            .describe('And at each hour of their day. None: any that they are awake.'),
        })
        .prefault({}),
      topics: mapOf(Topic).refine((topics) => Object.keys(topics).length > 0, {
        error: 'it must have a topic',
      }),
      words: mapOf(texts.min(1))
        .default({})
        .describe('Words that phrases name in braces: people, places, things.'),
      link: z
        .strictObject({ text, address: z.url().max(2000) })
        .optional()
        .describe('What some captions link to.'),
      emoji: z
        .strictObject({ share: z.number().min(0).max(1), signs: texts.min(1) })
        .optional()
        .describe('How many of their texts end with an emoji, and with which.'),
      asides: texts.default([]).describe('Sentences that can stand in the middle of any caption.'),
      endings: texts.default([]).describe('Sentences that can end any caption.'),
      captions: mapOf(TopicCaptions)
        .default({})
        .describe('What they write under their posts, by topic.'),
      comments: mapOf(z.array(TopicComment).max(1000))
        .default({})
        .describe(
          'What fans say under their posts, by topic, some with an answer, some about a word of ' +
            'the caption.',
        ),
      series: z
        .array(z.strictObject({ topic: name, parts: texts.min(2) }))
        .max(100)
        .default([])
        .describe('Captions that continue one another, some posts apart.'),
      dates: mapOf(texts, monthAndDay)
        .default({})
        .describe('Captions of one day of the year, such as 12-31.'),
      birthday: monthAndDay.optional().describe('When fans congratulate them, such as 03-21.'),
      massMessages: texts
        .default([])
        .describe(
          'What they send to many fans at once, each with its occasion; those with the ' +
            'condition lapsed to those who left.',
        ),
      chat: z
        .strictObject({
          cues: mapOf(texts)
            .default({})
            .describe(
              'What they say in the dialogues that all creators have, by cue; and at the cues ' +
                'offer, small tip, large tip, post tip and stream tip.',
            ),
          words: mapOf(texts.min(1))
            .default({})
            .describe(
              'In place of words of the dialogues that all creators have: doing, small, plan, ' +
                'treat, theirs, gear, best.',
            ),
          talks: z
            .array(z.array(Line).min(2).max(100))
            .max(1000)
            .default([])
            .describe('Dialogues about what they do, the fan first, then in turns.'),
          sales: z
            .array(Sale)
            .max(1000)
            .default([])
            .describe('Dialogues in which they sell something.'),
        })
        .prefault({}),
      names: z
        .strictObject({
          labels: mapOf(z.array(name).max(maxNamed))
            .default({})
            .describe('Labels, each with the topics whose posts have it.'),
          vaultLists: texts.default([]),
          userLists: z.array(z.string().min(1).max(64)).max(100).default([]),
          campaigns: texts.default([]).describe('Tracking links.'),
          trials: texts.default([]).describe('Trial links.'),
          offers: texts.default([]).describe('What promotions say.'),
        })
        .prefault({})
        .describe(
          'How they name labels, lists and links, where a scenario says only how many there are.',
        ),
      audience: Audience.prefault({}),
      money: Money.prefault({}),
    })
    .superRefine(checkPhrases),
)
export type Persona = z.infer<typeof Persona>

/** Personas by name. */
export const Personas = mapOf(Persona)

/** The parts of a persona that are checked together. */
interface Phrased {
  topics: object
  words: object
  asides: object
  endings: object
  captions: object
  comments: object
  series: readonly { topic: string }[]
  names: { labels: Readonly<Record<string, readonly string[]>> }
  dates: object
  massMessages: object
  chat: { words: object }
}

/**
 * Checks that topics are those of the persona, and that phrases name and ask for known values.
 */
function checkPhrases(persona: Phrased, context: z.RefinementCtx): void {
  const { topics, words, captions, comments, series, names } = persona
  const add = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  for (const [section, named] of Object.entries({
    captions: Object.keys(captions),
    comments: Object.keys(comments),
  })) {
    for (const topic of named)
      if (!Object.hasOwn(topics, topic)) add([section, topic], `there is no topic ${topic}`)
  }
  for (const [place, { topic }] of series.entries())
    if (!Object.hasOwn(topics, topic)) add(['series', place], `there is no topic ${topic}`)
  for (const [label, named] of Object.entries(names.labels)) {
    for (const topic of named)
      if (!Object.hasOwn(topics, topic))
        add(['names', 'labels', label], `there is no topic ${topic}`)
  }
  const known = new Set<string>([
    ...Object.keys(words),
    ...Object.keys(persona.chat.words),
    ...momentValues,
    ...chatValues,
  ])
  for (const section of [
    'words',
    'asides',
    'endings',
    'captions',
    'comments',
    'series',
    'dates',
    'massMessages',
    'chat',
  ] as const) {
    for (const { phrase, path } of phrasesIn(persona[section], [section])) {
      const { facts, text: said } = parsePhrase(phrase)
      for (const fact of facts) {
        if (!knownFacts.has(fact.replace(/^!/, '')))
          add(path, `there is no condition ${fact}. There are ${[...knownFacts].join(', ')}`)
      }
      for (const name of namesIn(said))
        if (!known.has(name)) add(path, `there are no words {${name}}`)
    }
  }
}

/**
 * Values of dialogues besides moments and words of the persona: facts of the fan, the offer, the
 * last purchase, the newest post, and words that all creators have.
 */
const chatValues = (
  'name town pet petname petage partner friend kid age years team show car dish drink hobby job at ' +
  'shift boss what about bought post quote doing small plan treat treat2 theirs gear best place room'
).split(' ')

const knownFacts = new Set<string>(Object.values(factKinds).flat())

/** All phrases in a value, each with its path. */
function phrasesIn(
  value: unknown,
  path: (string | number)[],
): { phrase: string; path: (string | number)[] }[] {
  if (typeof value === 'string') return [{ phrase: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    phrasesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
