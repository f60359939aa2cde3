import { z } from 'zod'
import { lazyObject, lazyStrictObject } from '../../lib/fields.ts'

/** A signed link to one variant of a media file. It is valid for two hours and needs no key. */
export const MediaLink = lazyObject(() => ({ url: z.url() }))

/** The four variants of a media file. */
export const MediaFiles = lazyObject(() => ({
  full: MediaLink,
  thumb: MediaLink,
  preview: MediaLink,
  squarePreview: MediaLink,
}))

/** One variant of a vault file, with the size of the served file. Audio has no width and height. */
export const SizedMediaLink = lazyObject(() => ({
  url: z.url(),
  width: z.int().optional().describe('Pixels.'),
  height: z.int().optional().describe('Pixels.'),
  size: z.int().optional().describe('Bytes.'),
}))

/** The four variants of a vault file. */
export const SizedMediaFiles = lazyObject(() => ({
  full: SizedMediaLink,
  thumb: SizedMediaLink,
  preview: SizedMediaLink,
  squarePreview: SizedMediaLink,
}))

/** The renditions of a video. Null for other media. */
export const VideoSources = lazyObject(() => ({ 240: z.url().nullable(), 720: z.url().nullable() }))

/** The type of a media item. */
export const MediaType = z.enum(['photo', 'video', 'gif', 'audio'])

/** Maximum number of links, and of loads, in a snapshot. */
const maxRemembered = 1_000_000

/** The state of the media links in a snapshot. */
export const mediaLinkState = lazyStrictObject(() => ({
  windows: z.array(z.tuple([z.int(), z.int()])).max(maxRemembered),
  loads: z
    .array(
      z.tuple([
        z.int(),
        z.strictObject({
          minute: z.int(),
          count: z.int().min(0),
          seen: z.array(z.tuple([z.string().max(200), z.int()])).max(maxRemembered),
        }),
      ]),
    )
    .max(10_000),
}))
