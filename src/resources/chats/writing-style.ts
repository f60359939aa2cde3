import { isAddressable, isCheerful } from './moods.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { contractions, replaceWordForms } from './word-forms.ts'

/**
 * The writing style of a fan: capitals, abbreviations, typos, emoji, and the length of messages.
 */
export interface WritingStyle {
  capitals: 'all' | 'first' | 'none'
  /** Probability that a word is abbreviated. */
  shortened: number
  /** Kind of typos. A fan with `correct` spelling makes none. */
  spelling: 'correct' | 'slips' | 'drops' | 'autocorrect' | 'stretched'
  /** Probability that a message has a typo. */
  mistakes: number
  /** Words for `haha` and `lol`. */
  laugh: readonly [string, string]
  /** True if the fan writes several sentences as lines of one message. */
  breaksLines: boolean
  /** Probability that a message has an emoji. */
  emoji: number
  /** Probability that a message is split. */
  cut: number
  keepsApostrophes: boolean
  keepsStops: boolean
  signs: readonly string[]
  /** Punctuation that the fan often adds at the end of a message. */
  ending: string
  /** The word with which the fan addresses creators. Empty if the fan does not address them. */
  address: string
}

/** Sets of emoji. Each fan uses one set. */
const signSets = [
  ['😂', '🤣', '😅'],
  ['❤️', '😍', '🥰', '😘'],
  ['🔥', '💯', '🙌', '💪'],
  ['😊', '🙂', '☺️'],
  ['😏', '👀', '🫠'],
  ['🙏', '🥹', '😭'],
  ['👍', '👌', '✌️'],
  ['😎', '🍻', '🤙'],
] as const

/** Abbreviations by word. */
const shortForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    you: 'u',
    your: 'ur',
    are: 'r',
    because: 'cuz',
    though: 'tho',
    please: 'pls',
    people: 'ppl',
    tomorrow: 'tmrw',
    thanks: 'thx',
    really: 'rly',
    okay: 'ok',
    with: 'w',
    about: 'abt',
    something: 'smth',
    tonight: '2nite',
    weekend: 'wknd',
    message: 'msg',
    before: 'b4',
    great: 'gr8',
    and: 'n',
    morning: 'mornin',
    probably: 'prob',
    seriously: 'srsly',
  }),
)

/** Possible values of the habits, with weights. */
const drawn = {
  capitals: [
    ['none', 52],
    ['first', 24],
    ['all', 24],
  ],
  shortened: [
    [0, 45],
    [0.25, 30],
    [0.8, 25],
  ],
  spelling: [
    ['correct', 40],
    ['slips', 18],
    ['drops', 16],
    ['autocorrect', 14],
    ['stretched', 12],
  ],
  mistakes: [
    [0.02, 40],
    [0.06, 40],
    [0.14, 20],
  ],
  emoji: [
    [0, 30],
    [0.1, 36],
    [0.27, 28],
    [0.5, 6],
  ],
  cut: [
    [0.25, 28],
    [0.7, 45],
    [0.97, 27],
  ],
  address: [
    ['', 76],
    ['dear', 5],
    ['hun', 4],
    ['my friend', 4],
    ['mate', 5],
    ['love', 3],
    ['sunshine', 3],
  ],
  ending: [
    ['', 60],
    ['!', 12],
    ['!!', 8],
    ['...', 12],
    ['..', 8],
  ],
} as const

/** Words for `haha` and `lol`, with weights. */
const laughs: readonly (readonly [WritingStyle['laugh'], number])[] = [
  [['haha', 'lol'], 40],
  [['hahaha', 'lol'], 18],
  [['haha', 'haha'], 14],
  [['lol', 'lol'], 10],
  [['hahah', 'lmao'], 8],
  [['hehe', 'hehe'], 6],
  [['ahah', 'ahah'], 4],
]

/** Share of greetings and the like in which these fans address the creator. */
const addressShare = 0.25
/** Factor for the probability of emoji in cheerful lines. */
const gladShare = 2.2
/** Emoji of lines that are not cheerful, and a factor for their probability. */
const plainSigns = ['😅', '🙃', '🙈', '😂', '🙄', '😭', '🤷‍♂️', '😩'] as const
const plainShare = 0.45
/** Share of fans who write several sentences as lines, and of their messages with lines. */
const breakingFans = 0.14
const breakShare = 0.4
/** Texts of at least this length count as long, characters. */
const longText = 160

/**
 * Derives the writing style of a fan from the id, so that it is the same in each chat. Typos and
 * words of address are English.
 */
export function deriveWritingStyle(fanId: number, language = 'en'): WritingStyle {
  const random = createRandom(0, 'spelling', fanId)
  const capitals = random.pickWeighted(drawn.capitals)
  const isCareful = capitals === 'all'
  return {
    capitals,
    shortened: isCareful ? 0 : random.pickWeighted(drawn.shortened),
    spelling: isCareful || language !== 'en' ? 'correct' : random.pickWeighted(drawn.spelling),
    mistakes: random.pickWeighted(drawn.mistakes),
    laugh: random.pickWeighted(laughs),
    breaksLines: random.chance(breakingFans),
    emoji: random.pickWeighted(drawn.emoji),
    cut: random.pickWeighted(drawn.cut),
    keepsApostrophes: isCareful || random.chance(0.3),
    keepsStops: isCareful && random.chance(0.7),
    signs: random.pick(signSets),
    ending: random.pickWeighted(drawn.ending),
    address: language === 'en' ? random.pickWeighted(drawn.address) : '',
  }
}

const withApostrophe: ReadonlyMap<string, string> = new Map(Object.entries(contractions))

/** Words that a phone puts in place of others. */
const autocorrected: ReadonlyMap<string, string> = new Map(
  Object.entries({
    of: 'if',
    on: 'in',
    in: 'on',
    good: 'food',
    love: 'live',
    were: "we're",
    well: "we'll",
    your: "you're",
    from: 'form',
  }),
)

/** Letters that are next to each other on a keyboard. */
const neighbours: Readonly<Record<string, string>> = {
  a: 's',
  d: 's',
  e: 'r',
  f: 'g',
  g: 'h',
  h: 'j',
  i: 'o',
  k: 'l',
  l: 'k',
  m: 'n',
  n: 'm',
  o: 'p',
  r: 't',
  s: 'd',
  t: 'y',
  u: 'i',
  v: 'b',
  y: 'u',
}

/** Words that some people stretch. */
const stretched: ReadonlyMap<string, string> = new Map(
  Object.entries({
    so: 'sooo',
    no: 'nooo',
    yes: 'yesss',
    wow: 'wooow',
    aw: 'awww',
    nice: 'niceee',
    please: 'pleaseee',
    love: 'loveee',
    same: 'sameee',
    hey: 'heyyy',
  }),
)

/** Rewrites a line in the style of a fan, as one or more messages. */
export function applyWritingStyle(
  random: Random,
  habits: WritingStyle,
  { text, isSad = false }: { text: string; isSad?: boolean },
): string[] {
  // Long texts are mostly sent in one piece.
  const isLong = text.length > longText
  const isCut = random.chance(isLong ? habits.cut / 2 : habits.cut)
  const messages = text.includes(' / ') ? text.split(' / ') : isCut ? split(text) : [text]
  for (let place = 0; place < messages.length; place += 1)
    messages[place] = spellSentence(random, habits, messages[place] ?? '')
  const last = messages.length - 1
  const end = messages[last] ?? ''
  if (habits.address !== '' && isAddressable(end) && random.chance(addressShare))
    messages[last] = `${end} ${habits.address}`
  const isGlad = isCheerful(text)
  if (!isSad && random.chance(habits.emoji * (isGlad ? gladShare : plainShare))) {
    const sign = random.pick(isGlad ? habits.signs : plainSigns)
    const signs = random.chance(0.25) ? sign + sign : sign
    if (isCut && random.chance(0.1)) messages.push(signs)
    else messages[last] = `${messages[last] ?? ''} ${signs}`
  } else if (fitsEnding(end, habits.ending) && random.chance(0.25))
    messages[last] = `${messages[last] ?? ''}${habits.ending}`
  return habits.breaksLines && messages.length > 1 && (isLong || random.chance(breakShare))
    ? [messages.join('\n')]
    : messages
}

/** Writes one sentence with the capitals, abbreviations and typos of a fan. */
export function spellSentence(random: Random, habits: WritingStyle, sentence: string): string {
  const { capitals, shortened, keepsApostrophes, keepsStops } = habits
  if (sentence.includes('://')) return sentence
  let text = withLaugh(habits, sentence)
  if (keepsApostrophes) text = replaceWordForms(text, withApostrophe)
  else text = text.replaceAll('’', '').replaceAll("'", '')
  if (habits.spelling === 'stretched' && random.chance(habits.mistakes * 3))
    text = replaceWord(random, text, stretched)
  if (capitals === 'none' && !isShouted(sentence)) text = text.toLowerCase()
  if (capitals === 'all') text = withCapitals(text)
  if (shortened > 0) text = shorten(random, text, shortened)
  if (!keepsStops && text.endsWith('.') && !text.endsWith('..')) text = text.slice(0, -1)
  return random.chance(habits.mistakes * Math.min(3, text.length / 20))
    ? mistype(random, text, habits.spelling)
    : text
}

/** Replaces laughs with the word that the fan uses for them. */
function withLaugh({ laugh }: WritingStyle, text: string): string {
  return text.includes('haha') || text.includes('lol')
    ? text.replace(/\b(?:haha|lol)\b/g, (word) => laugh[word === 'haha' ? 0 : 1])
    : text
}

/** True if a sentence is written in capitals. */
function isShouted(sentence: string): boolean {
  return sentence.length > 3 && sentence === sentence.toUpperCase()
}

/** Capitalises the first letter of each sentence. */
function withCapitals(text: string): string {
  return splitIntoSentences(text)
    .map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1))
    .join(' ')
}

function shorten(random: Random, text: string, chance: number): string {
  const words = text.split(' ')
  for (let place = 0; place < words.length; place += 1) {
    const short = shortForms.get(words[place] ?? '')
    if (short !== undefined && random.chance(chance)) words[place] = short
  }
  return words.join(' ')
}

/** Replaces one random word of a text that the map contains. */
function replaceWord(random: Random, text: string, forms: ReadonlyMap<string, string>): string {
  const words = text.split(' ')
  const places = [...words.keys()].filter((place) => forms.has(words[place] ?? ''))
  if (places.length === 0) return text
  const place = random.pick(places)
  words[place] = forms.get(words[place] ?? '') ?? ''
  return words.join(' ')
}

/** Makes a mistake of the kind that the fan makes, in a word of five letters or more. */
function mistype(random: Random, text: string, spelling: WritingStyle['spelling']): string {
  if (spelling === 'correct' || spelling === 'stretched') return text
  if (spelling === 'autocorrect') return replaceWord(random, text, autocorrected)
  const words = text.split(' ')
  const place = random.integer(0, words.length - 1)
  const word = words[place] ?? ''
  if (!/^[a-z]{5,}$/.test(word)) return text
  const at = random.integer(1, word.length - 2)
  const [one, other] = [word.charAt(at), word.charAt(at + 1)]
  const typed =
    spelling === 'drops'
      ? other
      : random.chance(0.5)
        ? other + one
        : (neighbours[one] ?? one) + other
  words[place] = word.slice(0, at) + typed + word.slice(at + 2)
  return words.join(' ')
}

/** True if a fan would end this text with these marks: cheerful ones with `!`, others with dots. */
function fitsEnding(text: string, ending: string): boolean {
  return /[a-z]$/i.test(text) && isCheerful(text) === ending.startsWith('!')
}

/** Splits a text into sentences, or else at the first comma. */
function split(text: string): string[] {
  const sentences = splitIntoSentences(text)
  const comma = sentences.length === 1 ? text.indexOf(', ') : -1
  return comma === -1 ? sentences : [text.slice(0, comma), text.slice(comma + 2)]
}

/** Splits a text into sentences. */
export function splitIntoSentences(text: string): string[] {
  // Most texts have only one sentence, and splitting with a lookbehind is slow.
  const hasSeveral = text.includes('. ') || text.includes('! ') || text.includes('? ')
  return hasSeveral ? text.split(/(?<=[.!?]) +(?=\S{2})/) : [text]
}
