import { groupBy } from '../../lib/iterables.ts'
import { defineRule, formatCount } from '../rule.ts'
import type { Occurrence } from '../rule.ts'
import type { AuditedRequest } from '../audited-request.ts'
import type { RequestHistory } from '../request-history.ts'

const source = 'reference §8 Media links'

export const staleLink = defineRule({
  name: 'stale-link',
  severity: 'warning',
  mistake:
    'A media link that was first opened after it had expired (links are valid for two ' +
    'hours). The client did not request the item again after the 403.',
  advice:
    'Store the id of the media item instead of its link. When a link fails, request the item ' +
    'again and open the new link.',
  source,
  example: {
    wrong: 'database.save({ image: media.files.full.url })',
    right: 'database.save({ mediaId: media.id })',
  },
  find: (history) =>
    findExpiredLinks(history, ({ wasOpen }) => !wasOpen, 'after expiry (two hours)'),
})

export const linkKept = defineRule({
  name: 'link-kept',
  severity: 'warning',
  mistake:
    'A media link that was opened again after it had expired (links are valid for two ' +
    'hours). The client did not request the item again after the 403.',
  advice:
    'Store the id of the media item instead of its link. When a link fails, request the item ' +
    'again and open the new link.',
  source,
  example: {
    wrong: 'image.src = cache.get(media.id) // a URL from this morning',
    right: 'image.src = (await readMedia(media.id)).files.full.url',
  },
  find: (history) =>
    findExpiredLinks(history, ({ wasOpen }) => wasOpen, 'again after expiry (two hours)'),
})

/**
 * Finds links that a client opened after they had expired. Excludes links for which the client then
 * got a new link.
 */
function findExpiredLinks(
  { refusals, known }: RequestHistory,
  isMeant: (link: { wasOpen: boolean }) => boolean,
  when: string,
): Occurrence[] {
  const late = groupBy(
    refusals.filter(({ exchange }) => exchange.code === 'media_link_expired'),
    ({ rawQuery }) => rawQuery,
  )
  if (late.size === 0) return []
  const opened = known.filter(({ route, isGood }) => route?.id === mediaRoute && isGood)
  const meant = [...late.values()].filter((uses) => {
    const [first] = uses as [AuditedRequest]
    const wasOpen = opened.some(({ rawQuery, id }) => rawQuery === first.rawQuery && id < first.id)
    return (
      isMeant({ wasOpen }) && !uses.every((use, index) => isRenewed(use, uses[index + 1], known))
    )
  })
  if (meant.length === 0) return []
  const links = `${formatCount(meant.length, 'media link')} ${meant.length === 1 ? 'was' : 'were'}`
  return [{ message: `${links} opened ${when}.`, requests: meant.flat() }]
}

/**
 * True if the client got a new link to the file after the expired one failed. If the client then
 * used the same link again, a response in between must have contained it.
 */
function isRenewed(
  { id: failed, rawQuery }: AuditedRequest,
  next: AuditedRequest | undefined,
  known: readonly AuditedRequest[],
): boolean {
  const file = /(?:^|&)(url=[^&]*)/.exec(rawQuery)?.[1]
  const link = next === undefined ? file : rawQuery
  const before = next?.id ?? Infinity
  return (
    link !== undefined &&
    known.some(
      (each) => each.id > failed && each.id < before && each.isGood && each.hasInResponse(link),
    )
  )
}

const mediaRoute = 'GET /media-proxy'

export const editedLink = defineRule({
  name: 'edited-link',
  severity: 'error',
  mistake: 'A media link that the client changed or made up.',
  advice:
    'Open links exactly as received. Do not add, remove or decode parameters, and do not ' +
    'request another size.',
  source,
  example: {
    wrong: 'image.src = `${media.files.full.url}&width=200`',
    right: 'image.src = media.files.thumb.url',
  },
  find({ refusals }) {
    const edited = refusals.filter(({ exchange }) => exchange.code === 'media_link_invalid')
    if (edited.length === 0) return []
    const links = formatCount(edited.length, 'media link')
    return [{ message: `${links} did not match any link in the responses.`, requests: edited }]
  },
})

export const builtLink = defineRule({
  name: 'built-link',
  severity: 'error',
  mistake: 'A share URL that no response contained.',
  advice: 'Use the url from the response that created or listed the share.',
  source: 'reference §4 known behaviour 3: clients must not build it themselves',
  example: { wrong: 'open(`${base}/share/${link.id}`)', right: 'open(share.url)' },
  find({ refusals, known }) {
    const built = refusals.filter(({ status, route, path }) => {
      if (status !== 404 || route?.path !== '/share/:token') return false
      const token = path.slice('/share/'.length)
      return (
        token === '' ||
        !known.some(
          (each) => each.route?.path.includes('/shares') === true && each.hasInResponse(token),
        )
      )
    })
    if (built.length === 0) return []
    const urls = formatCount(built.length, 'share URL')
    return [{ message: `${urls} did not appear in any response.`, requests: built }]
  },
})
