import type { Payment } from '../payments/seeded-transactions.ts'
import type { Bundle } from './bundles.ts'
import type { Gift } from './gifts.ts'

/** A message of a chat, with its time (epoch ms) and attachments. */
export interface ChatLine {
  text: string
  isFromFan: boolean
  at: number
  /** The bundle that the message offers, and the time when the fan bought it. */
  bundle?: Bundle
  boughtAt?: number
  /** True if the creator agreed to a refund. */
  isRefunded?: boolean
  /** The free photo that the creator sends with the message. */
  gift?: Gift
  /** True if the message is a GIF from the fan. */
  isGif?: boolean
  /** The name of the photo that the fan sends with the message. */
  photo?: string
  /** True if the message quotes the previous message as a reply. */
  isReply?: boolean
  /** The tip that was sent with the message. */
  tip?: Payment
}
