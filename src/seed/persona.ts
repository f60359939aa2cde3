import { z } from 'zod'
import { conditionKinds, contextValues } from './phrase-context.ts'
import { listPlaceholders, parsePhrase } from './phrases.ts'

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

/** A topic of a creator's posts. */
const Topic = z.lazy(() =>
  z.strictObject({
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
  }),
)

/**
 * Captions for a topic. A phrase may start with conditions, such as `(morning, winter)`, and
 * contain placeholders in braces.
 */
const TopicCaptions = z.lazy(() =>
  z.strictObject({
    brief: texts.default([]).describe('One-sentence captions. Each caption is used only once.'),
    scenes: z
      .array(
        z.strictObject({ open: texts.min(1), turn: texts.default([]), close: texts.default([]) }),
      )
      .max(200)
      .default([])
      .describe(
        'An event, its outcome and a closing sentence. Any sentences of the same scene can ' +
          'be combined.',
      ),
  }),
)

/** A fan's comment. It may have a reply by the creator, and may refer to a word in the caption. */
const TopicComment = z.lazy(() =>
  z.union([
    text,
    texts.length(2),
    z.strictObject({
      about: z.string().min(1).max(40).describe('A word that the caption must contain.'),
      says: text.describe('The comment of the fan.'),
      answer: text.optional().describe('An optional reply of the creator.'),
    }),
  ]),
)

/** A line of a dialogue: one phrase, or several phrases to choose from. */
const Line = z.lazy(() => z.union([text, texts.min(1)]))
export type Line = z.infer<typeof Line>

/** A dialogue about an item for sale. */
const Sale = z.lazy(() =>
  z.strictObject({
    ask: Line.describe("The fan's question."),
    offer: Line.describe("The creator's offer, for a price."),
    thanks: Line.describe("The fan's message after the purchase."),
    reply: Line.optional().describe("The creator's reply to that message."),
  }),
)

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

/** A creator: the topics and times of their posts, and their language. */
export const Persona = z.lazy(() =>
  z
    .strictObject({
      trade: text.describe("The creator's occupation, in a few words."),
      voice: text.describe("Describes the persona's writing style, for people who add phrases."),
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
      words: createMapSchema(texts.min(1))
        .default({})
        .describe('Words that replace names in braces in phrases: people, places, things.'),
      link: z
        .strictObject({ text, address: z.url().max(2000) })
        .optional()
        .describe('A link that is added to some captions.'),
      emoji: z
        .strictObject({ share: z.number().min(0).max(1), signs: texts.min(1) })
        .optional()
        .describe('Share of texts that end with an emoji, and the emoji.'),
      asides: texts.default([]).describe('Sentences for the middle of any caption.'),
      endings: texts.default([]).describe('Sentences for the end of any caption.'),
      captions: createMapSchema(TopicCaptions).default({}).describe('Captions of posts, by topic.'),
      comments: createMapSchema(z.array(TopicComment).max(1000))
        .default({})
        .describe(
          'Comments by fans on posts, by topic. Some comments include a reply, and some refer ' +
            'to a word in the caption.',
        ),
      series: z
        .array(z.strictObject({ topic: name, parts: texts.min(2) }))
        .max(100)
        .default([])
        .describe(
          'Series of captions, each of which continues the previous one. Posts with other captions are ' +
            'published between the posts of a series.',
        ),
      dates: createMapSchema(texts, monthAndDay)
        .default({})
        .describe('Captions for a day of the year, such as 12-31.'),
      birthday: monthAndDay
        .optional()
        .describe('The birthday, such as 03-21. Fans congratulate the creator on this day.'),
      massMessages: texts
        .default([])
        .describe(
          'Mass messages, each with its occasion. Messages with the condition lapsed are for ' +
            'former fans. Answers of fans and of the creator may follow, as in ' +
            '`Soup or stew? > soup | stew > noted`.',
        ),
      welcomeMessages: texts
        .default([])
        .describe('Mass messages for new subscribers. They are always free.'),
      chat: z
        .strictObject({
          cues: z
            .strictObject({
              late: texts.optional(),
              'small tip': texts.optional(),
              'large tip': texts.optional(),
              'post tip': texts.optional(),
              'stream tip': texts.optional(),
            })
            .default({})
            .describe("The creator's own lines for late replies and for thanking fans for tips."),
          words: createMapSchema(texts.min(1))
            .default({})
            .describe('Words that replace names in braces in dialogues.'),
          talks: z
            .array(z.union([text, z.array(Line).min(2).max(100)]))
            .max(1000)
            .default([])
            .describe(
              "Dialogues about the creator's work. The fan and the creator take " +
                'turns, and the fan begins. A dialogue is a list of lines, or one text such as ' +
                '`(spring) any plans? > sleep > same`.',
            ),
          sales: z
            .array(Sale)
            .max(1000)
            .default([])
            .describe('Dialogues in which the creator sells something.'),
        })
        .prefault({}),
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
          'Names of labels, lists and links. Used if a scenario specifies only how ' +
            'many to create.',
        ),
      audience: Audience.prefault({}),
      money: Money.prefault({}),
    })
    .superRefine(checkPhrases),
)
export type Persona = z.infer<typeof Persona>

/** Personas by name. */
export const Personas = createMapSchema(Persona)

/** Parts of a persona that are validated together. */
interface PersonaPhrases {
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
  welcomeMessages: object
  chat: { words: object }
}

/**
 * Checks that all topics that a persona mentions exist in it, and that its phrases use only known
 * placeholders and conditions.
 */
function checkPhrases(persona: PersonaPhrases, context: z.RefinementCtx): void {
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
    ...contextValues,
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
    'welcomeMessages',
    'chat',
  ] as const) {
    for (const { phrase, path } of listPhrases(persona[section], [section])) {
      const { conditions, text: said } = parsePhrase(phrase)
      // A dialogue that is one text can have the conditions of exchanges, such as tags of the fan.
      const isExchange = path[1] === 'talks' && path.length === 3
      for (const condition of isExchange ? [] : conditions) {
        if (!knownConditions.has(condition.replace(/^!/, '')))
          add(
            path,
            `there is no condition ${condition}. Conditions are ${[...knownConditions].join(', ')}`,
          )
      }
      for (const name of listPlaceholders(said))
        if (!known.has(name)) add(path, `there are no words {${name}}`)
    }
  }
}

/**
 * Placeholders that dialogues can use in addition to the context's values and the persona's words.
 * They describe the fan, the offer, the last purchase and the newest post. Some are common words.
 */
const chatValues = (
  'name town pet petname petage partner friend kid age years team show car dish drink hobby job at ' +
  'shift boss what about bought post quote doing small plan treat treat2 theirs gear best place room'
).split(' ')

const knownConditions = new Set<string>(Object.values(conditionKinds).flat())

/** Returns all phrases within a value, each with its path. */
function listPhrases(
  value: unknown,
  path: (string | number)[],
): { phrase: string; path: (string | number)[] }[] {
  if (typeof value === 'string') return [{ phrase: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    listPhrases(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
