import { z } from 'zod'
import { inferred } from '../../engine/fields.ts'

/** One rendition of a GIF; its numbers are texts, as the provider sends them. */
export const GifImage = z.lazy(() => inferred(z.object({ url: z.url(), width: z.string(), height: z.string(), mp4: z.url() })))

/** A GIF of the provider. Its addresses are the provider's, not media links. */
export const GifItem = z.lazy(() =>
  inferred(
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
        fixed_height: GifImage,
        fixed_width: GifImage,
        original: GifImage,
        original_mp4: GifImage,
        preview_gif: GifImage,
      }),
    }),
  ),
)

/** A page of GIFs, as the provider numbers it. */
export const GifPage = z.lazy(() =>
  inferred(
    z.object({
      data: z.array(GifItem),
      pagination: z.object({ total_count: z.int(), count: z.int().describe('How many are on this page.'), offset: z.int() }),
    }),
  ),
)
