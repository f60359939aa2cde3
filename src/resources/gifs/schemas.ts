import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'

const size = { width: z.string(), height: z.string() }

/** A rendition of a GIF. Numbers are strings, as in the provider's API. */
export const GifImage = z.lazy(() => markAsInferred(z.object({ url: z.url(), ...size })))

/** A rendition of a GIF that also exists as a video. */
export const GifWithVideo = z.lazy(() =>
  markAsInferred(z.object({ url: z.url(), ...size, mp4: z.url() })),
)

/** A rendition of a GIF that exists only as a video. */
export const GifVideo = z.lazy(() => markAsInferred(z.object({ ...size, mp4: z.url() })))

/** A GIF of the provider. Its URLs point to the provider, so they are not media links. */
export const GifItem = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.string(),
      title: z.string(),
      alt_text: z.string(),
      rating: z.enum(['g', 'pg', 'pg-13']),
      is_sticker: z.int(),
      type: z.literal('gif'),
      url: z.url(),
      embed_url: z.url(),
      images: z.object({
        fixed_height: GifWithVideo,
        fixed_width: GifWithVideo,
        original: GifImage,
        original_mp4: GifVideo,
        preview_gif: GifImage,
      }),
    }),
  ),
)

/** A page of GIFs, with the same paging fields as in the provider's API. */
export const GifPage = z.lazy(() =>
  markAsInferred(
    z.object({
      data: z.array(GifItem),
      pagination: z.object({
        total_count: z.int(),
        count: z.int().describe('Number of GIFs on this page.'),
        offset: z.int(),
      }),
    }),
  ),
)
