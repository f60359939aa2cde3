import type { Payment } from '../payments/seeded-transactions.ts'
import type { Bundle } from './bundles.ts'
import type { Gift } from './gifts.ts'

/** A message of a chat, with its time (epoch ms) and attachments. */
export interface ChatLine {
  text: string
  isFromFan: boolean
  at: number
  /** The bundle that the message offers, and the time when the fan bought it. */
  bundle: Bundle | undefined
  boughtAt: number | undefined
  /** True if the creator agreed to a refund. */
  isRefunded: boolean
  /** The free photo that the creator sends with the message. */
  gift: Gift | undefined
  /** True if the message is a GIF from the fan. */
  isGif: boolean
  /** The name of the photo that the fan sends with the message. */
  photo: string | undefined
  /** True if the message quotes the previous message as a reply. */
  isReply: boolean
  /** The tip that was sent with the message. */
  tip: Payment | undefined
}

/** Creates a message without media. */
export function createTextLine(text: string, isFromFan: boolean, at: number): ChatLine {
  return {
    text,
    isFromFan,
    at,
    bundle: undefined,
    boughtAt: undefined,
    isRefunded: false,
    gift: undefined,
    isGif: false,
    photo: undefined,
    isReply: false,
    tip: undefined,
  }
}
