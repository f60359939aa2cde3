import { expect } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { toPlainText } from '../../src/lib/text.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import { CaptionWriter } from '../../src/resources/posts/caption.ts'
import { createPhraseContext } from '../../src/seed/phrase-context.ts'
import {
  normalizeText,
  getLastSentence,
  countMaxRepeats,
  computeSequenceOverlap,
  listWordSequences,
} from './texts.ts'

const hourMs = 3_600_000

/** Returns two hundred captions of a shipped persona as plain text. */
export async function createCaptions(name: string, seed: number): Promise<string[]> {
  const { default: persona } = await shippedPersonas[name]!()
  const writer = new CaptionWriter(new Random(seed), { texts: seedTexts, persona })
  const start = Date.UTC(2024, 9, 1)
  return Array.from({ length: 200 }, (_, index) =>
    toPlainText(
      writer.write({
        context: createPhraseContext(persona, start + index * 17 * hourMs),
        topic: writer.drawTopic(),
        media: [['photo'], [], ['video']][index % 3]!,
      }).text,
    ),
  )
}

/**
 * Expects that a quarter of two hundred captions are short and few are empty, that most others are
 * distinct, that no ending occurs often, and that few captions in a sample of a hundred are very
 * similar.
 */
export function expectVariedCaptions(captions: readonly string[], seed: number): void {
  const written = captions.filter((caption) => caption !== '')
  expect(captions.length - written.length).toBeLessThan(captions.length / 5)
  const short = written.filter((caption) => caption.length <= 30)
  expect(short.length).toBeGreaterThan(written.length / 4)
  expect(new Set(written.map(normalizeText)).size).toBeGreaterThan(written.length * 0.8)
  expect(countMaxRepeats(written.map(getLastSentence))).toBeLessThanOrEqual(8)
  const random = new Random(seed)
  const hundred = new Set(Array.from({ length: 100 }, () => random.integer(0, captions.length - 1)))
  const drawn = [...hundred].map((index) => ({
    caption: captions[index]!,
    sequences: listWordSequences(captions[index]!),
  }))
  const alike = drawn.flatMap((one, place) =>
    drawn
      .slice(place + 1)
      .filter((other) => computeSequenceOverlap(one.sequences, other.sequences) > 0.6)
      .map((other) => [one.caption, other.caption]),
  )
  expect(alike.length, JSON.stringify(alike)).toBeLessThanOrEqual(6)
}
