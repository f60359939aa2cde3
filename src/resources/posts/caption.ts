import { fillIn, toHtml } from '../../engine/text.ts'
import type { Words } from '../../world/texts.ts'

/** Draws the caption of a post, as HTML. The kind `edge` takes the edge cases one after the other, by the index of the post. */
export function drawCaption({ random, texts: { captions, names } }: Words, kind: 'believable' | 'edge', index: number): string {
  const { openings, subjects, remarks, aside: asideText, endings, signs, link, edge } = captions
  if (kind === 'edge') return edge[index % edge.length] ?? ''
  const text = `${random.pick(openings)}: ${random.pick(subjects)} ${random.pick(remarks)}.`
  const aside = random.chance(0.3)
    ? ` ${fillIn(asideText, { FRUIT: random.pick(names.fruits), MUSIC: random.pick(names.genres).toLowerCase() })}`
    : ''
  const html = toHtml(`${text}${aside} ${random.pick(endings)}${random.pick(signs)}`.trim())
  if (random.chance(0.06)) return html.replace('</p>', () => ` ${link}</p>`)
  return random.chance(0.08) ? html.replace(/<p>([\w ]+):/, '<p><strong>$1</strong>:') : html
}
