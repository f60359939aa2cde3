import { z } from 'zod'
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
const prices = createListSchema(z.number().positive())
/** A text with one entry per line, such as exchanges (`exchange.ts`). */
const lines = text.transform((value) => value.split('\n').filter((line) => line.trim() !== ''))

/** The names that are common in a culture. */
const Culture = z.strictObject({
  /** Language in which some people with these names write, such as `de`. */
  language: text,
  /** True if the last name comes first. */
  familyFirst: z.boolean().optional(),
  first: texts,
  last: texts,
})
export type Culture = DeepReadonly<z.infer<typeof Culture>>

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
    /** Captions that fit any creator, and captions of saved streams. */
    plain: texts,
    streams: texts,
    words: z.record(z.string(), texts),
  }),
  comments: z.strictObject({
    any: texts,
    /** Comments that fit only long captions. */
    told: texts,
    emoji: texts,
    /** Replies of creators to comments. */
    replies: texts,
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
      /** Time zones of the towns that are not in the country's main time zone. */
      zones: z.record(z.string(), text).default({}),
      /** The cultures from which names in the country come. */
      names: texts,
      /** Climate: `south` of the equator, or with `snow`. */
      climate: z.enum(['south', 'snow', 'mild']).default('mild'),
    }),
  ),
  dialogues: z.strictObject({
    welcomes: lines,
    /** Conversations that may occur in several chats. */
    plain: lines,
    /** Conversations that occur only once per account. */
    talks: lines,
    /** Conversations about a subject of an earlier exchange of the chat. */
    followUps: lines,
    plainCheckins: lines,
    checkins: lines,
    /** Exchanges that begin with a photo. */
    photos: createListSchema(z.strictObject({ photos: texts, says: lines })),
    reactions: lines,
    memories: lines,
    quarrels: lines,
    returns: lines,
    birthdays: lines,
    /** Exchanges on the fan's birthday. */
    fanBirthdays: lines,
    /** Exchanges on holidays. */
    holidays: lines,
    /** Exchanges in which the creator sends a free photo. */
    gifts: lines,
    silences: lines,
    refunds: lines,
    /** Offers, the fan's words after buying or not buying, and words about the price. */
    offers: lines,
    /** Offers that are sent without a dialogue. Each is an exchange with one turn. */
    teasers: lines,
    bought: lines,
    declined: lines,
    haggles: lines,
    /** Words that are added to some offers. */
    offerEndings: lines,
    /** Exchanges by the fan's temper. */
    tempers: z.record(z.string(), z.strictObject({ talks: lines, declined: lines, bought: lines })),
    /** Stories. Each is a list of exchanges that are some days apart. */
    arcs: createListSchema(lines),
    tips: z.strictObject({ small: lines, large: lines, huge: lines }),
    thanks: z.strictObject({
      small: lines,
      large: lines,
      huge: lines,
      post: lines,
      stream: lines,
      late: lines,
    }),
    massReplies: z.strictObject({ bought: lines, declined: lines, free: lines }),
    /** Paid mass messages that are sent again, at the same price or cheaper. */
    resends: z.strictObject({ same: texts, cheaper: texts }),
    /** Excuses of creators for a late reply. */
    excuses: lines,
    /**
     * Details of a fan's life. One value of each detail is picked per fan. `none` means that the
     * fan does not have it.
     */
    facts: z.record(z.string(), texts),
    jobs: createListSchema(z.strictObject({ job: text, at: text, shift: text, boss: text })),
    languages: z.record(z.string(), z.strictObject({ welcomes: lines, talks: lines })),
    tip: textWith('AMOUNT'),
  }),
  /**
   * Names of records have at most 64 characters. These names must be shorter, because a number may
   * be appended.
   */
  edge: z.strictObject({
    texts: createListSchema(EdgeText),
    names: createListSchema(text.max(58)),
  }),
  fans: z.strictObject({
    /** Notes on fans by teams, and by creators who work alone, by the fact that must be known. */
    notes: z.record(z.string(), texts),
    ownNotes: z.record(z.string(), texts),
    nicknames: texts,
    signs: texts,
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
    cultures: z.object({ en: Culture }).catchall(Culture),
    handles: texts,
    nouns: texts,
    /** Spelling in usernames of names in other scripts. */
    latin: z.record(z.string(), text),
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
