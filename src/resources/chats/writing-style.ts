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
  /** Typical ending of the fan's messages. */
  ending: string
}

/** Sets of emoji. Each fan uses only one set. */
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

/** Possible values for each habit, with weights. */
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
  ending: [
    ['', 60],
    ['!', 12],
    ['!!', 8],
    ['...', 12],
    ['..', 8],
  ],
} as const

/** Minimum length of a long text, characters. */
const longText = 160

/** Derives a fan's writing style from the id, so that it is the same in every chat. */
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
  }
}

/** Rewrites a text in the style of a fan, as one or more messages. */
export function applyWritingStyle(random: Random, habits: WritingStyle, text: string): string[] {
  // Long texts are usually not split.
  const isCut = random.chance(text.length > longText ? habits.cut / 3 : habits.cut)
  const messages = isCut ? splitIntoSentences(text) : [text]
  for (let place = 0; place < messages.length; place += 1)
    messages[place] = spellSentence(random, habits, messages[place] ?? '')
  const last = messages.length - 1
  if (random.chance(habits.emoji) && !hasSadNews(text)) {
    const sign = random.pick(habits.signs)
    const signs = random.chance(0.25) ? sign + sign : sign
    if (isCut && random.chance(0.3)) messages.push(signs)
    else messages[last] = `${messages[last] ?? ''} ${signs}`
  } else if (random.chance(0.25)) messages[last] = `${messages[last] ?? ''}${habits.ending}`
  return messages
}

function spellSentence(random: Random, habits: WritingStyle, sentence: string): string {
  const { capitals, shortened, keepsApostrophes, keepsStops } = habits
  let text = capitals === 'none' && !isUpperCase(sentence) ? sentence.toLowerCase() : sentence
  if (capitals === 'all') text = capitaliseSentences(text)
  if (shortened > 0) text = shorten(random, text, shortened)
  if (!keepsApostrophes) text = text.replaceAll('’', '').replaceAll("'", '')
  if (!keepsStops && text.endsWith('.') && !text.endsWith('..')) text = text.slice(0, -1)
  return random.chance(habits.mistakes * Math.min(3, text.length / 20))
    ? addTypo(random, text)
    : text
}

/** True if a sentence is written in capitals. */
function isUpperCase(sentence: string): boolean {
  return sentence.length > 3 && sentence === sentence.toUpperCase()
}

/** Capitalises the first letter of each sentence. */
function capitaliseSentences(text: string): string {
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
function addTypo(random: Random, text: string): string {
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

function isLetter(character: string): boolean {
  return character >= 'a' && character <= 'z'
}

/** Splits a text into sentences. */
export function splitIntoSentences(text: string): string[] {
  // Most texts have only one sentence, and splitting with a lookbehind is slow.
  const hasSeveral = text.includes('. ') || text.includes('! ') || text.includes('? ')
  return hasSeveral ? text.split(/(?<=[.!?]) +(?=\S{2})/) : [text]
}
