import { parsePicturePath, userPictures } from '../world/public-files.ts'
import type { Call, Reply } from '../api/route.ts'
import { mediaManifest } from '../generated/media-manifest.ts'
import { createFileLoader } from './media-files.ts'

/** Clients may cache pictures for a year, because pictures never change. */
const headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=31536000, immutable',
} as const

const text = { 'content-type': 'text/plain; charset=utf-8' } as const

/** Serves the thumbnail of a media file in this package, such as `/media/photo-barbell/thumb`. */
export async function serveThumbnail({
  method,
  url,
}: Pick<Call, 'method' | 'url'>): Promise<Reply> {
  const [, name = ''] = /^\/media\/([\w-]{1,100})\/thumb$/.exec(url) ?? []
  const asset = mediaManifest.find((each) => each.name === name)
  if (asset === undefined || (method !== 'GET' && method !== 'HEAD'))
    return { status: 404, headers: text, body: method === 'HEAD' ? null : 'Not found' }
  const { file, contentType } = asset.variants.thumb
  const bytes = await createFileLoader()(file)
  const length = String(bytes.length)
  return {
    status: 200,
    headers: { ...headers, 'content-type': contentType, 'content-length': length },
    body: method === 'HEAD' ? null : bytes,
  }
}

/**
 * Serves a user's picture under the platform's public host. The picture is drawn from the user id
 * and is not part of the API.
 */
export async function serveUserPicture({
  method,
  url,
}: Pick<Call, 'method' | 'url'>): Promise<Reply> {
  const named = parsePicturePath(url)
  if (named === undefined)
    return { status: 404, headers: text, body: method === 'HEAD' ? null : 'Not found' }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { ...text, allow: 'GET, HEAD' }, body: 'Method not allowed' }
  const { drawAvatar, drawHeader } = await import('./draw-user.ts')
  const draw = named.picture.startsWith('header') ? drawHeader : drawAvatar
  const svg = draw(named.userId, userPictures[named.picture])
  const length = String(new TextEncoder().encode(svg).length)
  return {
    status: 200,
    headers: { ...headers, 'content-length': length },
    body: method === 'HEAD' ? null : svg,
  }
}
