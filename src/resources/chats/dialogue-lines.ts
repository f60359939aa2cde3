import type { PhraseContext } from '../../seed/phrase-context.ts'
import type { FanManner } from './fan-habits.ts'

/** Kinds of scenes that use a single list of exchanges, each with the key of the list. */
export const sceneLists = {
  welcome: 'welcomes',
  quarrel: 'quarrels',
  return: 'returns',
  birthday: 'birthdays',
  silence: 'silences',
  reaction: 'reactions',
  memory: 'memories',
  fanBirthday: 'fanBirthdays',
  holiday: 'holidays',
  gift: 'gifts',
} as const

/** Probability that a fan negotiates the price, by temper. */
export const haggling = {
  kind: 0.03,
  flirt: 0.05,
  blunt: 0.12,
  haggler: 0.5,
  grumpy: 0.12,
  terse: 0.04,
}

/** A creator always answers a text that is longer than this, characters. */
export const longText = 90

/** The creator's own lines for each kind of thanks. */
export const ownThanks = {
  small: 'small tip',
  large: undefined,
  huge: 'large tip',
  post: 'post tip',
  stream: 'stream tip',
  late: undefined,
} as const

/** The subject of a scene. */
export type SceneKind = keyof typeof sceneLists | 'talk' | 'checkin' | 'sale'

/** A line of a chat, as plain text. */
export interface Line {
  text: string
  isFromFan: boolean
  /** True if the line offers media for sale. */
  isOffer: boolean
  /** True if the creator sends a free photo with the line. */
  isGift: boolean
  /** True if the line ends an exchange. */
  isLast: boolean
  /** True if the fan tells sad news. */
  isSad: boolean
  /** The line is not sent if it would come later than this after the previous one, ms. */
  maxWait: number
  /** The picture that the fan sends with the line. */
  photo?: string | undefined
}

/**
 * A scene of a chat: the lines up to its end or its offer, then the lines for each outcome of the
 * offer.
 */
export interface Scene {
  lines: readonly Line[]
  /** Lines about the price, before the fan decides. */
  haggle?: () => readonly Line[]
  /** Lines that follow if the fan buys the offer in the last line. */
  bought?: () => readonly Line[]
  /** Lines in which a fan who bought the offer asks for a refund. */
  refunded?: () => readonly Line[]
  /** Lines that follow if the fan does not buy. */
  declined?: () => readonly Line[]
}

/** Values for the placeholders in texts, such as `petname` or `bought`. */
export type Values = Map<string, string>

/** The state of a chat. */
export interface Memory {
  /** Exchanges, subjects and fan details that the chat has already mentioned. */
  heard: Set<unknown>
  /** Known placeholder values. */
  values: Values
  /** The context in the fan's time zone. @default the context in the creator's time zone */
  fanContext?: PhraseContext | undefined
  /** The tone in which the fan writes. */
  temper?: FanManner | undefined
}

/** State of the chat and language of the fan. */
export interface Listener extends Partial<Memory> {
  /** @default 'en' */
  language?: string
}

/** Creates a line of the creator that is no part of an exchange. */
export function toCreatorLine(text: string): Line {
  return {
    text,
    isFromFan: false,
    isOffer: false,
    isGift: false,
    isLast: true,
    isSad: false,
    maxWait: Infinity,
  }
}
