import type { MediaAsset } from '../../generated/media-manifest.ts'

/** How well a picture shows what the tags say, the first of which matter most. 0: not at all. */
export function fitOf({ topics }: Pick<MediaAsset, 'topics'>, tags: readonly string[]): number {
  let fit = 0
  for (let place = 0; place < tags.length; place += 1) if (topics.includes(tags[place] ?? '')) fit += tags.length - place
  return fit
}

/** Whether a picture fits nearly as well as the best one. */
export function isClose(fit: number, best: number): boolean {
  return fit > 0 && fit * 2 > best
}

/** The pictures that show topics best, each topic by its tags. */
export function fittingBest(assets: readonly MediaAsset[], topics: readonly (readonly string[])[]): MediaAsset[] {
  const fitting = new Set<MediaAsset>()
  for (const tags of topics) {
    const fits = assets.map((asset) => fitOf(asset, tags))
    const best = fits.reduce((most, fit) => Math.max(most, fit), 0)
    for (const [place, asset] of assets.entries()) if (isClose(fits[place] ?? 0, best)) fitting.add(asset)
  }
  return assets.filter((asset) => fitting.has(asset))
}
