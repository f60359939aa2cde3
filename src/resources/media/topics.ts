import type { MediaAsset } from '../../generated/media-manifest.ts'

/** How well a picture shows what the tags say, the first of which matter most. 0: not at all. */
export function fitOf({ topics }: Pick<MediaAsset, 'topics'>, tags: readonly string[]): number {
  let fit = 0
  for (let place = 0; place < tags.length; place += 1)
    if (topics.includes(tags[place] ?? '')) fit += tags.length - place
  return fit
}

/** Whether a picture fits nearly as well as the best one. */
export function isClose(fit: number, best: number): boolean {
  return fit > 0 && fit * 2 > best
}
