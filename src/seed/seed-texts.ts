import { z } from 'zod'
import type { Persona } from './persona.ts'

const text = z.string().min(1)
const texts = list(text)
/**
 * A text with each of these names in braces once, such as `Tipped {AMOUNT}`, and with nothing else
 * in braces.
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
          ? 'it must have nothing in braces'
          : `it must have ${names.map((name) => `{${name}}`).join(' and ')}, each once, and ` +
            `nothing else in braces`,
    },
  )
const prices = list(z.number().positive())
/**
 * A line of a script: what the fan or the creator says, or which cue of the creator's persona
 * comes.
 */
const ScriptLine = z.union([
  z.strictObject({ fan: texts }),
  z.strictObject({ creator: texts }),
  z.strictObject({ cue: text }),
])
export type ScriptLine = Unchanging<z.infer<typeof ScriptLine>>
const script = list(ScriptLine)
const scripts = list(script)
/** A sale: the question of the fan, the offer, and the words of both after the purchase. */
const OfferScript = z.strictObject({
  ask: texts.optional(),
  offer: texts,
  thanks: texts,
  reply: texts,
})

/** Names of a culture. */
const Culture = z.strictObject({
  /** The language, such as `de`, that some people with these names write. */
  language: text,
  /** True if the last name comes first. */
  familyFirst: z.boolean().optional(),
  first: texts,
  last: texts,
})
export type Culture = Unchanging<z.infer<typeof Culture>>

/** A text as HTML, or one and how often it is repeated in a paragraph. */
const EdgeText = z.union([
  text,
  z
    .strictObject({ again: text, times: z.int().positive() })
    .transform(({ again, times }) => `<p>${again.repeat(times)}</p>`),
])

/**
 * The schema of each file of fixtures/texts, by its name in camel case. Only `npm run generate`
 * checks the files; the sandbox uses the types of the schemas.
 */
export const seedTextSchemas = {
  comments: z.strictObject({
    any: texts,
    emoji: texts,
    words: z.record(z.string(), texts),
    languages: z.record(z.string(), texts),
  }),
  countries: list(
    z.strictObject({
      code: z.string().regex(/^[A-Z]{2}$/),
      name: text,
      weight: z.number().positive(),
      /** VAT of buyers there, percent. */
      vat: z.number().min(0).max(30).default(0),
      timezone: text,
      towns: texts,
      /** The time zones of towns that have another one. */
      zones: z.record(z.string(), text).default({}),
      /** The cultures of the names that people there have. */
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
    /** Scenes of a story, each some days after the one before. */
    arcs: list(scripts),
    offers: list(OfferScript),
    /** Words of a fan who does not buy. */
    declines: texts,
    tips: z.strictObject({ small: texts, large: texts }),
    thanks: z.strictObject({ small: texts, large: texts, post: texts, stream: texts }),
    massReplies: z.strictObject({ bought: script, declined: script, free: script }),
    /** Facts of a fan's life, each drawn once for a fan. */
    facts: z.record(z.string(), texts),
    jobs: list(z.strictObject({ job: text, at: text, shift: text, boss: text })),
    cues: z.record(z.string(), texts),
    words: z.record(z.string(), texts),
    languages: z.record(z.string(), list(list(texts))),
    tip: textWith('AMOUNT'),
  }),
  /** Names of things have at most 64 characters; these leave room for a number. */
  edge: z.strictObject({ texts: list(EdgeText), names: list(text.max(58)) }),
  fans: z.strictObject({ notices: texts, nicknames: texts, signs: texts }),
  gifs: z.strictObject({ moods: texts, subjects: texts }),
  links: z.strictObject({ numbered: textWith('NUMBER'), shareLabels: list(text.nullable()) }),
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
  profiles: z.strictObject({ abouts: list(z.string()), places: list(text.nullable()) }),
  vault: z.strictObject({ releaseForm: textWith('NAME') }),
} satisfies Record<string, z.ZodType>

/**
 * The texts of seeded data, from fixtures/texts. All worlds share them, and nothing
 * changes them.
 */
export type SeedTexts = {
  readonly [Kind in keyof typeof seedTextSchemas]: Unchanging<
    z.output<(typeof seedTextSchemas)[Kind]>
  >
} & {
  /**
   * The personas of the scenario, by name: its own ones and those of fixtures/personas that its
   * accounts have. At least one.
   */
  readonly personas: Readonly<Record<string, Persona>>
}

/** The texts that all scenarios have. */
export type CommonTexts = Omit<SeedTexts, 'personas'>

type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1)
}
