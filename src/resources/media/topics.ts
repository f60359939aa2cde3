import type { MediaAsset } from '../../generated/media-manifest.ts'

/** How well a picture shows what the tags say, the first of which matter most. 0: not at all. */
export function fitOf({ topics }: Pick<MediaAsset, 'topics'>, tags: readonly string[]): number {
  return tags.reduce((sum, tag, place) => (topics.includes(tag) ? sum + tags.length - place : sum), 0)
}

/** Whether a picture fits nearly as well as the best one. */
export function isClose(fit: number, best: number): boolean {
  return fit > 0 && fit * 2 > best
}

/** The pictures that show topics best, each topic by its tags. */
export function fittingBest(assets: readonly MediaAsset[], topics: readonly (readonly string[])[]): MediaAsset[] {
  const bests = topics.map((tags) => Math.max(0, ...assets.map((asset) => fitOf(asset, tags))))
  return assets.filter((asset) => topics.some((tags, place) => isClose(fitOf(asset, tags), bests[place] ?? 0)))
}
