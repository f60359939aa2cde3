import { z } from 'zod'
import { createBoundedJsonSchema } from '../../lib/schema-parts.ts'
import { FileResponse } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import { getMediaLinks, readMediaLinkWorldId, getMediaAsset } from './media-links.ts'

const defineRoute = createRouteDefiner({ group: 'System', kind: 'service' })

// The schema does not validate the parts of a link, because an invalid link must return 403 instead
// of 400.
const linkPart = createBoundedJsonSchema(20_000).optional().meta({ type: 'string' })

const readMediaFile = defineRoute({
  id: 'GET /media-proxy',
  withoutEffect: {
    url: 'the route checks the whole link as a string',
    exp: 'the route checks the whole link as a string',
    sig: 'the route checks the whole link as a string',
  },
  permission: null,
  source: 'reference §5.6 and §8 Media links',
  summary: 'Open a media link',
  errors: [
    'media_link_invalid',
    'media_link_expired',
    'media_account_gone',
    'media_gone',
    'media_load_limit',
  ],
  rules: [
    'Needs no key. The link gives access until it expires, two hours after its creation.',
    'Returns 403 for an incomplete, changed or expired link, 404 for a disconnected account, ' +
      '429 for more than 300 new files of an account in a minute, and 502 if the platform ' +
      'refuses to serve the file.',
    'A file counts as new unless it was loaded within the last hour. Each load of the file ' +
      'restarts this hour. HEAD requests count like GET requests. Failed requests do not count ' +
      'towards this limit.',
    'Supports HEAD, and GET with Range. The sandbox never requests the URL in the parameter url.',
  ],
  accessChecks: 'none',
  worldId: ({ rawQuery }) => readMediaLinkWorldId(rawQuery),
  head: true,
  query: () =>
    z
      .object({
        url: linkPart.describe('The URL of the file. The sandbox does not fetch this URL.'),
        exp: linkPart.describe('Expiry time, epoch seconds.'),
        sig: linkPart.describe('Signature over url, exp and the account.'),
      })
      // These parameters are required only in the OpenAPI document, because a link without one of
      // them must return 403.
      .meta({ required: ['url', 'exp', 'sig'] }),
  data: null,
  handle({ world, rawQuery }) {
    const link = getMediaLinks(world).open(rawQuery)
    const { file, contentType } = getMediaAsset(link.media).variants[link.variant]
    return new FileResponse({
      file,
      contentType,
      accountId: link.media.accountId,
      onShow: () => getMediaLinks(world).load(link),
    })
  },
  async prepareExample({ account, ask }) {
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
