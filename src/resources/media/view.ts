import type { MediaFiles } from './signatures.ts'

/** Returns the renditions of a video. Both sizes use the same file. */
export function toVideoSources({ full }: MediaFiles): { 240: string; 720: string } {
  return { 240: full.url, 720: full.url }
}

export const noVideoSources = { 240: null, 720: null } as const
