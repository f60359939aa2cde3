import { z } from 'zod'
import type { Persona } from './persona.ts'

const text = z.string().min(1)
const texts = createListSchema(text)
/**
 * A string that contains each of the given names in braces exactly once, such as `Tipped {AMOUNT}`,
 * and no other names in braces.
 */
const textWith = (...names: string[]) =>
  text.refine(
    (value) =>
      [...value.matchAll(/\{(\w*)\}/g)]
        .map(([, name]) => name)
        .sort()
        .join() === names.toSorted().join(),
    {
      error:
        names.length === 0
          ? 'it must not contain braces'
          : `it must contain ${names.map((name) => `{${name}}`).join(' and ')}, each once, and ` +
            'no other braces',
    },
  )
const prices = createListSchema(z.number().positive())
/**
 * A line of a script: a text of the fan or the creator, or a cue that refers to the creator's
 * persona.
 */
const ScriptLine = z.union([
  z.strictObject({ fan: texts }),
  z.strictObject({ creator: texts }),
  z.strictObject({ cue: text }),
])
export type ScriptLine = DeepReadonly<z.infer<typeof ScriptLine>>
const script = createListSchema(ScriptLine)
const scripts = createListSchema(script)
/**
 * A sale: the fan's question, the offer, and the messages of fan and creator after the purchase.
 */
const OfferScript = z.strictObject({
  ask: texts.optional(),
  offer: texts,
  thanks: texts,
  reply: texts,
})

/** Names from one culture. */
const Culture = z.strictObject({
  /** The language, such as `de`, in which some people with these names write. */
  language: text,
  /** True if the last name comes first. */
  familyFirst: z.boolean().optional(),
  first: texts,
  last: texts,
})
export type Culture = DeepReadonly<z.infer<typeof Culture>>

/** An HTML text, or a text to repeat a number of times in a paragraph. */
const EdgeText = z.union([
  text,
  z
    .strictObject({ again: text, times: z.int().positive() })
    .transform(({ again, times }) => `<p>${again.repeat(times)}</p>`),
])

/**
 * The schemas of the files in fixtures/texts, by name in camel case. Only `npm run generate`
 * validates the files. The sandbox uses only the types of the schemas.
 */
export const seedTextSchemas = {
  comments: z.strictObject({
    any: texts,
    emoji: texts,
    words: z.record(z.string(), texts),
    languages: z.record(z.string(), texts),
  }),
  countries: createListSchema(
    z.strictObject({
      code: z.string().regex(/^[A-Z]{2}$/),
      name: text,
      weight: z.number().positive(),
      /** VAT rate for buyers in the country, percent. */
      vat: z.number().min(0).max(30).default(0),
      timezone: text,
      towns: texts,
      /** Towns in another time zone, with that time zone. */
      zones: z.record(z.string(), text).default({}),
      /** The cultures of the names in the country. */
      names: texts,
    }),
  ),
  dialogues: z.strictObject({
    welcomes: scripts,
    talks: scripts,
    quarrels: scripts,
    returns: scripts,
    birthdays: scripts,
    refunds: scripts,
    silences: scripts,
    checkins: scripts,
    reactions: scripts,
    memories: scripts,
    /** Scripts for the birthday of the fan. */
    fanBirthdays: scripts,
    /** Fans' texts by temper. `answers` are one-word replies. */
    tempers: z.record(
      z.string(),
      z.strictObject({
        talks: scripts,
        declines: texts,
        thanks: texts,
        answers: texts.optional(),
      }),
    ),
    /** Fans' texts about the price of an offer. */
    haggles: texts,
    /** Stories. Each is a list of scenes, which are some days apart. */
    arcs: createListSchema(scripts),
    offers: createListSchema(OfferScript),
    /** Messages from a fan who does not buy. */
    declines: texts,
    tips: z.strictObject({ small: texts, large: texts }),
    thanks: z.strictObject({ small: texts, large: texts, post: texts, stream: texts }),
    massReplies: z.strictObject({ bought: script, declined: script, free: script }),
    /** Facts about a fan's life. One value of each is drawn per fan. */
    facts: z.record(z.string(), texts),
    jobs: createListSchema(z.strictObject({ job: text, at: text, shift: text, boss: text })),
    cues: z.record(z.string(), texts),
    words: z.record(z.string(), texts),
    languages: z.record(z.string(), createListSchema(createListSchema(texts))),
    tip: textWith('AMOUNT'),
  }),
  /** Names of records have at most 64 characters, so these names must leave room for a number. */
  edge: z.strictObject({
    texts: createListSchema(EdgeText),
    names: createListSchema(text.max(58)),
  }),
  fans: z.strictObject({ notices: texts, nicknames: texts, signs: texts }),
  gifs: z.strictObject({ moods: texts, subjects: texts }),
  links: z.strictObject({
    numbered: textWith('NUMBER'),
    shareLabels: createListSchema(text.nullable()),
  }),
  lists: z.strictObject({
    users: z.strictObject({
      fans: text,
      following: text,
      recent: text,
      friends: text,
      muted: text,
      tagged: text,
    }),
    vault: z.strictObject({
      stories: text,
      posts: text,
      messages: text,
      streams: text,
      media_stickers: text,
    }),
    numbered: textWith('NUMBER'),
    numberedLabel: textWith('NUMBER'),
  }),
  names: z.strictObject({
    cultures: z.object({ en: Culture }).catchall(Culture),
    handles: texts,
    nouns: texts,
  }),
  notifications: z.strictObject({
    subscribed: textWith('PRICE'),
    subscribedForFree: textWith(),
    startedTrial: textWith(),
    renewed: textWith('PRICE'),
    tippedOnPost: textWith('AMOUNT'),
    tippedInChat: textWith('AMOUNT'),
    tippedOnProfile: textWith('AMOUNT'),
    unlockedPost: textWith('PRICE'),
    unlockedMessage: textWith('PRICE'),
    bought: textWith('PRICE'),
    commented: textWith('TEXT'),
    liked: textWith(),
    likedAmongOthers: textWith('COUNT'),
    statement: textWith(),
    wrote: textWith(),
  }),
  payouts: z.strictObject({ rejectReasons: texts, tooLittle: text }),
  prices: z.strictObject({
    tips: prices,
    messages: prices,
    otherPurchases: prices,
    fans: prices,
    creators: prices,
  }),
  profiles: z.strictObject({
    abouts: createListSchema(z.string()),
    places: createListSchema(text.nullable()),
  }),
  vault: z.strictObject({ releaseForm: textWith('NAME') }),
} satisfies Record<string, z.ZodType>

/** The texts of seeded data, from fixtures/texts. All worlds share them and never modify them. */
export type SeedTexts = {
  readonly [Kind in keyof typeof seedTextSchemas]: DeepReadonly<
    z.output<(typeof seedTextSchemas)[Kind]>
  >
} & {
  /**
   * Personas of the scenario, by name: those that it defines, and the shipped ones of its accounts.
   * There is at least one.
   */
  readonly personas: Readonly<Record<string, Persona>>
}

/** The texts that all scenarios use. */
export type CommonTexts = Omit<SeedTexts, 'personas'>

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

function createListSchema<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1)
}
