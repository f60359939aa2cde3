import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { hasSadNews } from './sad-news.ts'

/**
 * The writing style of a fan: capitals, abbreviations, typos, emoji, and the length of messages.
 */
export interface WritingStyle {
  capitals: 'all' | 'first' | 'none'
  /** Probability that a word is abbreviated. */
  shortened: number
  /** Probability that a message has a typo. */
  mistakes: number
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
  mistakes: [
    [0.01, 40],
    [0.06, 40],
    [0.16, 20],
  ],
  emoji: [
    [0, 30],
    [0.1, 36],
    [0.27, 28],
    [0.5, 6],
  ],
  cut: [
    [0.15, 28],
    [0.55, 45],
    [0.95, 27],
  ],
  address: [
    ['', 35],
    ['dear', 8],
    ['hun', 6],
    ['my friend', 8],
    ['boss', 6],
    ['love', 5],
    ['mate', 6],
    ['star', 4],
    ['champ', 4],
    ['sunshine', 5],
    ['buddy', 4],
  ],
  ending: [
    ['', 60],
    ['!', 12],
    ['!!', 8],
    ['...', 12],
    ['..', 8],
  ],
} as const

/** Maximum length of texts in which word spellings are varied, characters. */
const maxVariedLength = 45
/** Fraction of short messages in which fans address the creator. */
const addressShare = 0.45
/** Texts count as long from this length on, characters. */
const longText = 160

/** Derives the writing style of a fan from the id, so that it is the same in each chat. */
export function deriveWritingStyle(fanId: number): WritingStyle {
  const random = createRandom(0, 'spelling', fanId)
  const capitals = random.pickWeighted(drawn.capitals)
  const isCareful = capitals === 'all'
  return {
    capitals,
    shortened: isCareful ? 0 : random.pickWeighted(drawn.shortened),
    mistakes: isCareful ? 0.01 : random.pickWeighted(drawn.mistakes),
    emoji: random.pickWeighted(drawn.emoji),
    cut: random.pickWeighted(drawn.cut),
    keepsApostrophes: isCareful || random.chance(0.3),
    keepsStops: isCareful && random.chance(0.7),
    signs: random.pick(signSets),
    ending: random.pickWeighted(drawn.ending),
    address: random.pickWeighted(drawn.address),
  }
}

/** Alternative spellings of words that people write in different ways. */
const spellingVariants: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    haha: ['haha', 'hahaha', 'hahah', 'ahah', 'haha'],
    lol: ['lol', 'lol', 'lool', 'loll', 'lmao'],
    thanks: ['thanks', 'thankss', 'thanks', 'thx'],
    thank: ['thank', 'thank', 'thankk'],
    yes: ['yes', 'yess', 'yep', 'yeah', 'yes'],
    ok: ['ok', 'okay', 'okk', 'oki', 'ok'],
    nice: ['nice', 'nicee', 'niceee', 'very nice'],
    wow: ['wow', 'woow', 'wooow', 'wow wow'],
    omg: ['omg', 'omgg', 'OMG'],
    aw: ['aw', 'aww', 'awww', 'awwww'],
    so: ['so', 'soo', 'sooo', 'so'],
    no: ['no', 'no', 'noo'],
    good: ['good', 'good', 'goood'],
    ':)': [':)', ':))', '🙂', '☺️', ':)'],
    sure: ['sure', 'suree', 'sure'],
    great: ['great', 'greatt', 'great'],
    love: ['love', 'loove', 'love'],
    same: ['same', 'same', 'samee', 'sameee'],
    sorry: ['sorry', 'sry', 'sorryy', 'sorry'],
  }),
)

/** Returns a word in lower case, without a punctuation mark at its end. */
function bareWord(word: string): string {
  let end = word.length
  while (end > 0 && ',!?'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end).toLowerCase()
}

/** Varies words in a short text, such as `haha` and `hahaha`. */
export function varySpelling(random: Random, text: string): string {
  if (text.length > maxVariedLength) return text
  const words = text.split(' ')
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? ''
    const bare = bareWord(word)
    const forms = spellingVariants.get(bare)
    if (forms === undefined || random.chance(0.15)) continue
    const form = random.pick(forms)
    const isCapital = word.charAt(0) !== word.charAt(0).toLowerCase()
    const cased = isCapital ? form.charAt(0).toUpperCase() + form.slice(1) : form
    words[place] = cased + word.slice(bare.length)
  }
  return words.join(' ')
}

/** Rewrites a text in the style of a fan, as one or more messages. */
export function applyWritingStyle(random: Random, habits: WritingStyle, text: string): string[] {
  // Long texts are mostly sent in one piece.
  const isCut = random.chance(text.length > longText ? habits.cut / 3 : habits.cut)
  const messages = text.includes(' / ') ? text.split(' / ') : isCut ? split(text) : [text]
  for (let place = 0; place < messages.length; place += 1)
    messages[place] = spellSentence(random, habits, messages[place] ?? '')
  const last = messages.length - 1
  const end = messages[last] ?? ''
  if (habits.address !== '' && isShortPhrase(end) && random.chance(addressShare))
    messages[last] = `${end} ${habits.address}`
  if (random.chance(habits.emoji) && !hasSadNews(text)) {
    const sign = random.pick(habits.signs)
    const signs = random.chance(0.25) ? sign + sign : sign
    if (isCut && random.chance(0.1)) messages.push(signs)
    else messages[last] = `${messages[last] ?? ''} ${signs}`
  } else if (random.chance(0.25)) messages[last] = `${messages[last] ?? ''}${habits.ending}`
  return messages
}

function spellSentence(random: Random, habits: WritingStyle, sentence: string): string {
  const { capitals, shortened, keepsApostrophes, keepsStops } = habits
  const varied = varySpelling(random, sentence)
  let text = capitals === 'none' && !isShouted(sentence) ? varied.toLowerCase() : varied
  if (capitals === 'all') text = withCapitals(text)
  if (shortened > 0) text = shorten(random, text, shortened)
  if (!keepsApostrophes) text = text.replaceAll('’', '').replaceAll("'", '')
  if (!keepsStops && text.endsWith('.') && !text.endsWith('..')) text = text.slice(0, -1)
  return random.chance(habits.mistakes * Math.min(3, text.length / 20))
    ? mistype(random, text)
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

/** Swaps, drops or doubles a letter in the middle of a word of five letters or more. */
function mistype(random: Random, text: string): string {
  const words = text.split(' ')
  const place = random.integer(0, words.length - 1)
  const word = words[place] ?? ''
  const at = random.integer(1, Math.max(1, word.length - 3))
  const [one, other] = [word.charAt(at), word.charAt(at + 1)]
  if (word.length < 5 || !isLetter(one) || !isLetter(other) || one === other) return text
  const typed = random.pick([other + one, other, one + one + other, one])
  words[place] = word.slice(0, at) + typed + word.slice(at + 2)
  return words.join(' ')
}

/** True for a short text that ends with a letter. */
function isShortPhrase(text: string): boolean {
  return text.length < 22 && /[a-z]$/i.test(text)
}

function isLetter(character: string): boolean {
  return character >= 'a' && character <= 'z'
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
