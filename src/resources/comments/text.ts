import type { Words } from '../../world/texts.ts'

/** Draws the text of a comment. */
export function commentText({ random, texts }: Pick<Words, 'random' | 'texts'>): string {
  return random.pick(texts.comments)
}
