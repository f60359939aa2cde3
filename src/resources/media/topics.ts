import type { MediaAsset } from '../../generated/media-manifest.ts'

/** How well a picture shows what the tags say, the first of which matter most. 0: not at all. */
export function fitOf({ topics }: Pick<MediaAsset, 'topics'>, tags: readonly string[]): number {
  return tags.reduce((sum, tag, place) => (topics.includes(tag) ? sum + tags.length - place : sum), 0)
}
