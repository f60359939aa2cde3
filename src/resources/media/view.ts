import type { MediaFiles } from './media-links.ts'

/** The renditions of a video: the sandbox has one file of each, for both sizes. */
export function videoSourcesOf({ full }: MediaFiles): { 240: string; 720: string } {
  return { 240: full.url, 720: full.url }
}

/** What stands there for media that are no video. */
export const noVideoSources = { 240: null, 720: null } as const
