import { parsePicturePath, userPictures } from '../engine/public-files.ts'
import type { Call, Reply } from '../engine/route.ts'

/** How long a client may keep a picture: it never changes. */
const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=31536000, immutable' } as const

const text = { 'content-type': 'text/plain; charset=utf-8' } as const

/** Answers as the platform's public host: with the picture of a user, which the number of the user decides. It is none of the API. */
export async function answerPicture({ method, url }: Pick<Call, 'method' | 'url'>): Promise<Reply> {
  const named = parsePicturePath(url)
  if (named === undefined) return { status: 404, headers: text, body: method === 'HEAD' ? null : 'Not found' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { ...text, allow: 'GET, HEAD' }, body: 'Method not allowed' }
  const { drawAvatar, drawHeader } = await import('./draw-user.ts')
  const draw = named.picture.startsWith('header') ? drawHeader : drawAvatar
  const svg = draw(named.userId, userPictures[named.picture])
  const length = String(new TextEncoder().encode(svg).length)
  return { status: 200, headers: { ...headers, 'content-length': length }, body: method === 'HEAD' ? null : svg }
}
