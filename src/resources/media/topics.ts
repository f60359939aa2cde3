import type { MediaAsset } from '../../generated/media-manifest.ts'

/**
 * Returns a score for the match between a picture and the tags. Earlier tags have a higher weight.
 * 0 means no match.
 */
export function scoreTopicMatch(
  { topics }: Pick<MediaAsset, 'topics'>,
  tags: readonly string[],
): number {
  let fit = 0
  for (let index = 0; index < tags.length; index += 1)
    if (topics.includes(tags[index] ?? '')) fit += tags.length - index
  return fit
}

/**
 * Returns the name of the scene that a file shows. Files of the same scene differ by a number, such
 * as `sea-dawn-2`.
 */
export function getScene(assetName: string): string {
  return assetName.replace(/-\d+$/, '')
}

/** True if the score of a match is nearly as high as the best score. */
export function isCloseMatch(fit: number, best: number): boolean {
  return fit > 0 && fit * 2 > best
}
