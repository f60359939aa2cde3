import { toHtml } from '../../engine/text.ts'
import type { Words } from '../../world/texts.ts'

/** What a fan begins to talk about, as plain text. */
export function chatText({ random, texts }: Pick<Words, 'random' | 'texts'>): string {
  return random.pick(texts.dialogues.exchanges)[0] ?? ''
}

/** A line of a chat, as HTML. */
export interface Line {
  text: string
  isFromFan: boolean
  /** Whether what it speaks of is sold with it. */
  isOffer: boolean
}

/** So many lines of a chat between a fan and the creator. */
export function conversation({ random, texts }: Pick<Words, 'random' | 'texts'>, length: number): Line[] {
  const { exchanges, offers } = texts.dialogues
  const lines: Line[] = []
  const start = random.integer(0, exchanges.length - 1)
  for (let round = 0; lines.length < length; round += 1) {
    const isSale = round > 0 && random.chance(0.5)
    const exchange = isSale ? random.pick(offers) : (exchanges[(start + round) % exchanges.length] ?? [])
    for (const [place, text] of exchange.entries())
      lines.push({ text: toHtml(text), isFromFan: place % 2 === 0, isOffer: isSale && place === 1 })
  }
  return lines.slice(0, length)
}
