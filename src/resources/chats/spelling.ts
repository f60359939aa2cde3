import { randomAt } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'

/** A fan's spelling habits: capitals, short forms, mistakes, emoji, and length of messages. */
interface Habits {
  capitals: 'all' | 'first' | 'none'
  /**
   * Probabilities: a word is shortened, a message has a mistake or an emoji, a message is split in
   * two.
   */
  shortened: number
  mistakes: number
  emoji: number
  cut: number
  keepsApostrophes: boolean
  keepsStops: boolean
  signs: readonly string[]
  /** Usual ending of excited messages. */
  ending: string
}

/** Sets of emoji that users combine. */
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

/** Words and their short forms. */
const shortForms: Readonly<Record<string, string>> = {
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
}

/** Returns a fan's spelling habits. They follow from the id, so they are the same in each chat. */
export function habitsOf(fanId: number): Habits {
  const random = randomAt(0, 'spelling', fanId)
  const capitals = random.weighted([
    ['none', 52],
    ['first', 24],
    ['all', 24],
  ] as const)
  const isCareful = capitals === 'all'
  return {
    capitals,
    shortened: isCareful
      ? 0
      : random.weighted([
          [0, 45],
          [0.25, 30],
          [0.8, 25],
        ] as const),
    mistakes: isCareful
      ? 0.01
      : random.weighted([
          [0.01, 40],
          [0.06, 40],
          [0.16, 20],
        ] as const),
    emoji: random.weighted([
      [0, 25],
      [0.12, 35],
      [0.35, 30],
      [0.6, 10],
    ] as const),
    cut: random.weighted([
      [0.15, 28],
      [0.55, 45],
      [0.95, 27],
    ] as const),
    keepsApostrophes: isCareful || random.chance(0.3),
    keepsStops: isCareful && random.chance(0.7),
    signs: random.pick(signSets),
    ending: random.weighted([
      ['', 60],
      ['!', 12],
      ['!!', 8],
      ['...', 12],
      ['..', 8],
    ] as const),
  }
}

/** Rewrites a text with these habits, as one message or several in a row. */
export function spell(random: Random, habits: Habits, text: string): string[] {
  const isCut = random.chance(habits.cut)
  const sentences = isCut ? sentencesOf(text) : [text]
  const messages = sentences.map((sentence) => spellSentence(random, habits, sentence))
  const last = messages.length - 1
  if (random.chance(habits.emoji) && !isGrave(text)) {
    const sign = random.pick(habits.signs)
    const signs = random.chance(0.25) ? sign + sign : sign
    if (isCut && random.chance(0.3)) messages.push(signs)
    else messages[last] = `${messages[last] ?? ''} ${signs}`
  } else if (random.chance(0.25)) messages[last] = `${messages[last] ?? ''}${habits.ending}`
  return messages
}

/** Words of serious texts, which get no emoji. */
const grave = [
  'hospital',
  'fell',
  'worried',
  'limping',
  'not a good day',
  'sorry',
  'brushed off',
] as const

function isGrave(text: string): boolean {
  for (const word of grave) if (text.includes(word)) return true
  return false
}

function spellSentence(random: Random, habits: Habits, sentence: string): string {
  const { capitals, shortened, keepsApostrophes, keepsStops } = habits
  let text = capitals === 'none' && !isShouted(sentence) ? sentence.toLowerCase() : sentence
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

/** Capitalises each sentence. */
function withCapitals(text: string): string {
  return sentencesOf(text)
    .map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1))
    .join(' ')
}

function shorten(random: Random, text: string, chance: number): string {
  const words = text.split(' ')
  for (let place = 0; place < words.length; place += 1) {
    const short = shortForms[words[place] ?? '']
    if (short !== undefined && random.chance(chance)) words[place] = short
  }
  return words.join(' ')
}

/** Swaps, drops or doubles a letter within a longer word. */
function mistype(random: Random, text: string): string {
  const place = random.integer(1, Math.max(1, text.length - 3))
  const [one, other] = [text.charAt(place), text.charAt(place + 1)]
  if (!isLetter(one) || !isLetter(other) || one === other) return text
  const [before, after] = [text.slice(0, place), text.slice(place + 2)]
  return before + random.pick([other + one, other, one + one + other, one]) + after
}

function isLetter(character: string): boolean {
  return character >= 'a' && character <= 'z'
}

/** Splits a text into sentences. */
export function sentencesOf(text: string): string[] {
  // Most texts have one sentence, and splitting with a lookbehind is slow.
  const hasSeveral = text.includes('. ') || text.includes('! ') || text.includes('? ')
  return hasSeveral ? text.split(/(?<=[.!?]) +(?=\S{2})/) : [text]
}
