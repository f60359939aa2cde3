import type { MediaFiles } from './signatures.ts'

/** The renditions of a video. The sandbox uses the same file for both sizes. */
export function toVideoSources({ full }: MediaFiles): { 240: string; 720: string } {
  return { 240: full.url, 720: full.url }
}

/** The renditions of media that are not videos. */
export const noVideoSources = { 240: null, 720: null } as const
