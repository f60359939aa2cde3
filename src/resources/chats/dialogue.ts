import { toHtml } from '../../engine/text.ts'
import type { Words } from '../../world/texts.ts'

/** Draws the first line of a conversation, which is a fan's, as plain text. */
export function chatText({ random, texts }: Pick<Words, 'random' | 'texts'>): string {
  return random.pick(texts.dialogues.exchanges)[0] ?? ''
}

/** A line of a chat, as HTML. */
export interface Line {
  text: string
  isFromFan: boolean
  /** Whether the line offers media for sale. */
  isOffer: boolean
}

/** Draws the first `length` lines of a chat between a fan and the creator. */
export function conversation({ random, texts }: Pick<Words, 'random' | 'texts'>, length: number): Line[] {
  const { exchanges, offers } = texts.dialogues
  const lines: Line[] = []
  const start = random.integer(0, exchanges.length - 1)
  for (let round = 0; lines.length < length; round += 1) {
    const isSale = round > 0 && random.chance(0.5)
    const exchange = isSale ? random.pick(offers) : (exchanges[(start + round) % exchanges.length] ?? [])
    // The fan and the creator take turns. In a sale, the creator's first answer is the offer.
    for (const [index, text] of exchange.entries())
      lines.push({ text: toHtml(text), isFromFan: index % 2 === 0, isOffer: isSale && index === 1 })
  }
  return lines.slice(0, length)
}
