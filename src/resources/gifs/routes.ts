import { z } from 'zod'
import { offset, createPageLimitSchema, lazyInferredObject } from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { searchGifs, listTrendingGifs } from './gifs.ts'
import type { Gif } from './gifs.ts'

const size = { width: z.string(), height: z.string() }

/** A rendition of a GIF. Numbers are strings, as in the provider's API. */
export const GifImage = lazyInferredObject(() => ({ url: z.url(), ...size }))

/** A rendition of a GIF that also exists as a video. */
export const GifWithVideo = lazyInferredObject(() => ({ url: z.url(), ...size, mp4: z.url() }))

/** A rendition of a GIF that exists only as a video. */
export const GifVideo = lazyInferredObject(() => ({ ...size, mp4: z.url() }))

/** A GIF of the provider. Its URLs point to the provider, so they are not media links. */
export const GifItem = lazyInferredObject(() => ({
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
}))

/** A page of GIFs, with the same paging fields as in the provider's API. */
export const GifPage = lazyInferredObject(() => ({
  data: z.array(GifItem),
  pagination: z.object({
    total_count: z.int(),
    count: z.int().describe('Number of GIFs on this page.'),
    offset: z.int(),
  }),
}))

const defineRoute = createRouteDefiner({ group: 'GIFs' })
const pagination = { next: 'address', last: 'omitted' } as const
const paging = () => ({ limit: createPageLimitSchema(20, 50), offset })
const rules = [
  'Needs no account and no upstream session.',
  'URLs belong to the GIF provider. The sandbox does not serve these URLs, and they are not ' +
    'media links.',
]

const searchRoute = defineRoute({
  id: 'GET /v1/gifs/search',
  permission: 'api_gifs_search',
  source: 'published',
  summary: 'Search the GIF provider',
  rules: [
    ...rules,
    'Each word of q must be a prefix of a word in the title. Titles that contain ' +
      'whole words of q come first.',
  ],
  pagination,
  query: () => ({
    q: z.string().regex(/\S/, { error: 'it must not be empty' }).max(100),
    ...paging(),
  }),
  data: GifPage,
  handle: ({ world, query }) => toPage(searchGifs(world, query.q), world, query),
})

const trendingRoute = defineRoute({
  id: 'GET /v1/gifs/trending',
  permission: 'api_gifs_trending',
  evidence: 'a sibling service; path by analogy with the search',
  summary: 'List the trending GIFs',
  rules,
  pagination,
  query: paging,
  data: GifPage,
  handle: ({ world, query }) => toPage(listTrendingGifs(world), world, query),
})

export const gifRoutes = [searchRoute, trendingRoute]

function toPage(
  gifs: readonly Gif[],
  world: World,
  { limit, offset: skipped }: { limit: number; offset: number },
) {
  const shown = gifs.slice(skipped, skipped + limit)
  const reached = skipped + limit
  return new Page(
    {
      data: shown.map((gif) => world.json(toItem, gif)),
      pagination: { total_count: gifs.length, count: shown.length, offset: skipped },
    },
    reached < gifs.length ? { offset: reached } : null,
  )
}

function toItem(_world: World, { id, title, slug, rating, width, height }: Gif) {
  const addressOf = (name: string) => `https://media.gifs.example/media/${id}/${name}`
  const sizeAt = (scale: number) => ({
    width: String(Math.round(width * scale)),
    height: String(Math.round(height * scale)),
  })
  const image = (name: string, scale: number) => ({
    url: `${addressOf(name)}.gif`,
    ...sizeAt(scale),
  })
  const video = (name: string, scale: number) => ({
    ...sizeAt(scale),
    mp4: `${addressOf(name)}.mp4`,
  })
  return {
    id,
    title,
    alt_text: `A ${title.toLowerCase().replace(/ gif$/, '')} animation`,
    rating,
    is_sticker: 0,
    type: 'gif' as const,
    url: `https://gifs.example/gifs/${slug}`,
    embed_url: `https://gifs.example/embed/${id}`,
    images: {
      fixed_height: { ...image('200', 200 / height), ...video('200', 200 / height) },
      fixed_width: { ...image('200w', 200 / width), ...video('200w', 200 / width) },
      original: image('original', 1),
      original_mp4: video('original', 1),
      preview_gif: image('preview', 100 / height),
    },
  }
}
