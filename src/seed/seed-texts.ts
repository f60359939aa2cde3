import { z } from 'zod'
import { CommentEntry, Conversation, Entry, Exchange } from './persona.ts'
import type { Persona } from './persona.ts'

const text = z.string().min(1)
const texts = createListSchema(text)
/**
 * A string that contains each of the given placeholders exactly once, and no other placeholders.
 * For example: `Tipped {AMOUNT}`.
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
const entries = createListSchema(Entry)
const prices = createListSchema(z.number().positive())
/** An HTML text, or a paragraph that repeats a text a number of times. */
const EdgeText = z.union([
  text,
  z
    .strictObject({ again: text, times: z.int().positive() })
    .transform(({ again, times }) => `<p>${again.repeat(times)}</p>`),
])

/**
 * The schemas of the files in fixtures/texts, by name in camel case. Only `npm run generate`
 * validates the files. The sandbox only uses the types of the schemas.
 */
export const seedTextSchemas = {
  captions: z.strictObject({
    /** Captions of posts with media that fit any creator, and captions of saved streams. */
    plain: entries,
    streams: entries,
  }),
  comments: z.strictObject({
    any: createListSchema(CommentEntry),
    emoji: texts,
    /** Replies of creators to comments that have no reply of their own. */
    replies: texts,
    languages: z.record(z.string(), texts),
  }),
  conversations: createListSchema(Conversation),
  countries: createListSchema(
    z.strictObject({
      code: z.string().regex(/^[A-Z]{2}$/),
      name: text,
      weight: z.number().positive(),
      /** VAT rate for buyers in the country, percent. */
      vat: z.number().min(0).max(30).default(0),
      timezone: text,
      towns: texts,
      /** Time zones of the towns that are not in the country's main time zone. */
      zones: z.record(z.string(), text).default({}),
      /** The locales of faker from which names in the country come. */
      locales: texts,
    }),
  ),
  /**
   * Names of records have at most 64 characters. These names must be shorter, because a number may
   * be appended.
   */
  edge: z.strictObject({
    texts: createListSchema(EdgeText),
    names: createListSchema(text.max(58)),
  }),
  exchanges: createListSchema(Exchange),
  fans: z.strictObject({
    /** Notes on fans, and the names that creators give them. */
    notes: texts,
    nicknames: texts,
  }),
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
    /** Names of fans who do not use their own, and words for the names of records. */
    handles: texts,
    nouns: texts,
    /** Names of people who are added after seeding, when faker is not loaded. */
    first: texts,
    last: texts,
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
    /** The text of a tip that has no message. */
    tip: textWith('AMOUNT'),
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
  }),
  vault: z.strictObject({ releaseForm: textWith('NAME') }),
} satisfies Record<string, z.ZodType>

/**
 * The texts of seeded data, from fixtures/texts. All worlds share these texts and never modify
 * them.
 */
export type SeedTexts = {
  readonly [Kind in keyof typeof seedTextSchemas]: DeepReadonly<
    z.output<(typeof seedTextSchemas)[Kind]>
  >
} & {
  /**
   * The personas of the scenario by name: the personas that it defines, and the shipped personas
   * that its accounts use. There is at least one persona.
   */
  readonly personas: Readonly<Record<string, Persona>>
}

/** The texts that all scenarios share. */
export type CommonTexts = Omit<SeedTexts, 'personas'>

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

function createListSchema<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1)
}
