import { fillIn, toHtml } from '../text.ts'
import type { Sower } from './sowing.ts'

/** The caption of a post, as HTML. */
export function caption({ random, faker, texts: { captions } }: Pick<Sower, 'random' | 'faker' | 'texts'>, kind: 'believable' | 'edge', index: number): string {
  const { openings, subjects, remarks, aside: asideText, endings, signs, link, edge } = captions
  if (kind === 'edge') return edge[index % edge.length] ?? ''
  const text = `${random.pick(openings)}: ${random.pick(subjects)} ${random.pick(remarks)}.`
  const aside = random.chance(0.3) ? ` ${fillIn(asideText, { FRUIT: faker.food.fruit(), MUSIC: faker.music.genre().toLowerCase() })}` : ''
  const html = toHtml(`${text}${aside} ${random.pick(endings)}${random.pick(signs)}`.trim())
  if (random.chance(0.06)) return html.replace('</p>', () => ` ${link}</p>`)
  return random.chance(0.08) ? html.replace(/<p>([\w ]+):/, '<p><strong>$1</strong>:') : html
}

/** The text of a comment. */
export function commentText({ random, texts }: Pick<Sower, 'random' | 'texts'>): string {
  return random.pick(texts.comments)
}

/** What a fan begins to talk about, as plain text. */
export function chatText({ random, texts }: Pick<Sower, 'random' | 'texts'>): string {
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
export function conversation({ random, texts }: Sower, length: number): Line[] {
  const { exchanges, offers } = texts.dialogues
  const lines: Line[] = []
  const start = random.integer(0, exchanges.length - 1)
  for (let round = 0; lines.length < length; round += 1) {
    const isSale = round > 0 && random.chance(0.5)
    const exchange = isSale ? random.pick(offers) : (exchanges[(start + round) % exchanges.length] ?? [])
    for (const [place, text] of exchange.entries()) lines.push({ text: toHtml(text), isFromFan: place % 2 === 0, isOffer: isSale && place === 1 })
  }
  return lines.slice(0, length)
}
