import { z } from 'zod'
import { anyJson } from '../../lib/json-size.ts'
import { FileAnswer } from '../../api/route.ts'
import { defineRoute } from '../define.ts'
import { mediaLinksOf, worldOfLink } from './media-links.ts'
import { assetOf } from './signatures.ts'

// The schema does not check them: a bad link is 403, not 400.
const linkPart = anyJson(20_000).optional().meta({ type: 'string' })

const readMediaFile = defineRoute({
  method: 'GET',
  path: '/media-proxy',
  withoutEffect: { url: 'a link is checked whole, as it came', exp: 'likewise', sig: 'likewise' },
  group: 'System',
  permission: null,
  kind: 'service',
  source: 'reference §5.6 and §8 Media links',
  summary: 'Open a media link',
  rules: [
    'No key: whoever holds the link sees the file until it expires, two hours after it was made.',
    'A missing, altered or expired link is 403, one of a disconnected account 404, ' +
      'the 301st new file of an account in a minute 429, a refusal of the platform 502.',
    'A file that the account was shown within the hour is not new, as of the last time; HEAD ' +
      'counts as GET does, and whatever ' +
      'fails shows nothing.',
    'Ranges (of GET alone) and HEAD are answered; nothing is ever fetched.',
  ],
  gate: 'none',
  worldId: ({ rawQuery }) => worldOfLink(rawQuery),
  head: true,
  query: () =>
    z.object({
      url: linkPart.describe('What the link names; never fetched.'),
      exp: linkPart.describe('Epoch seconds when the link expires.'),
      sig: linkPart.describe('Signature over url, exp and the account.'),
    }),
  data: null,
  handle({ world, rawQuery }) {
    const link = mediaLinksOf(world).open(rawQuery)
    const { file, contentType } = assetOf(link.media).variants[link.variant]
    return new FileAnswer({
      file,
      contentType,
      accountId: link.media.accountId,
      onShow: () => mediaLinksOf(world).load(link),
    })
  },
  async rehearse({ account, ask }) {
    const files = z.object({ full: z.object({ url: z.string() }) })
    const Feed = z.object({ list: z.array(z.object({ media: z.array(z.object({ files })) })) })
    const { data } = await ask(Feed, {
      method: 'GET',
      address: `/v1/${account}/posts?media_type=photos&limit=1`,
    })
    const link = data.list[0]?.media[0]?.files.full.url ?? ''
    return { address: Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('?')))) }
  },
})

export const mediaRoutes = [readMediaFile]
