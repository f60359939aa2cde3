import type { Exchange } from '../../world/journal/exchange.ts'
import { badWorldName } from '../../api/record-request.ts'
import { groupBy } from '../../lib/iterables.ts'
import { defineRule, formatCount } from '../rule.ts'
import { isSentAfterResponse } from '../audited-request.ts'

export const wrongKey = defineRule({
  name: 'wrong-key',
  severity: 'error',
  mistake:
    'A request without a key or with an unknown key, or three or more requests with a revoked ' +
    'key after a 401.',
  advice:
    'Send Authorization: Bearer KEY, or X-API-Key: KEY, with every request under /v1/. Stop ' +
    'sending requests when a key is rejected.',
  source: 'reference §5 Authentication',
  example: {
    wrong: 'fetch(url)',
    right: 'fetch(url, { headers: { authorization: `Bearer ${process.env.API_KEY}` } })',
  },
  find({ refusals }) {
    const unknown = refusals.filter(
      ({ exchange, path }) => isUnknownKey(exchange) && !automaticPaths.test(path),
    )
    const groups = groupBy(unknown, ({ exchange }) => describeKey(exchange))
    const occurrences = [...groups].map(([key, group]) => ({
      message: `${formatCount(group.length, 'request')} had ${key}`,
      requests: group,
    }))
    const [first, ...further] = refusals.filter(({ exchange }) => exchange.isKeyRevoked)
    const late = further.filter(
      (request) => first !== undefined && isSentAfterResponse(request, first),
    )
    if (late.length >= tooMany)
      occurrences.push({
        message: `${formatCount(late.length, 'request')} used a revoked key after a 401.`,
        requests: late,
      })
    return occurrences
  },
})

/** Paths that browsers request automatically. */
const automaticPaths =
  /^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[\w-]*\.png|\.well-known\/.*)$/

/**
 * Minimum number of requests before a finding is reported. Fewer may have been sent before the
 * first 401 arrived.
 */
const tooMany = 3

function describeKey({ code, note }: Exchange): string {
  if (code === 'key_missing') return 'no key.'
  // The name of a world is in the key, so only the note tells what is wrong.
  return note?.startsWith(badWorldName) === true ? `a key for no world. ${note}` : 'an unknown key.'
}

function isUnknownKey({ code, isKeyRevoked }: Exchange): boolean {
  return code === 'key_missing' || (code === 'key_unknown' && isKeyRevoked !== true)
}

export const keyInUrl = defineRule({
  name: 'key-in-url',
  severity: 'error',
  mistake: 'A key in a URL. Logs, proxies and browser histories store URLs.',
  advice: 'Send the key only in a header. Replace the key that was exposed in the URL.',
  source: 'reference §5 Authentication: a key is sent in a header',
  example: {
    wrong: 'fetch(`${url}?api_key=${key}`)',
    right: 'fetch(url, { headers: { authorization: `Bearer ${key}` } })',
  },
  find({ requests }) {
    const shown = requests.filter(
      ({ rawQuery }) =>
        rawQuery.includes('%3C') && /%3C(?:unknown%20key%2C|key%20of)%20/.test(rawQuery),
    )
    if (shown.length === 0) return []
    const message = `${formatCount(shown.length, 'request')} had a key in the URL.`
    return [{ message, requests: shown }]
  },
})

export const keySentAway = defineRule({
  name: 'key-sent-away',
  severity: 'warning',
  mistake: 'The API key was sent to an upload URL or a media link.',
  advice:
    'Send the key only to the API. Upload and media URLs belong to other services and need no key.',
  source: 'reference §5.6 and §8 Media links: the link itself gives access',
  example: {
    wrong: 'axios.defaults.headers.common.authorization = `Bearer ${key}`',
    right: 'const api = axios.create({ baseURL, headers: { authorization: `Bearer ${key}` } })',
  },
  find({ requests }) {
    const away = requests.filter(
      ({ route, exchange: { request } }) =>
        route !== undefined &&
        otherServices.includes(route.id) &&
        keyHeaders.some((name) => request.headers[name] !== undefined),
    )
    return [...groupBy(away, ({ name }) => name)].map(([name, group]) => ({
      message: `${name} received the API key ${formatCount(group.length, 'time')}.`,
      requests: group,
    }))
  },
})

const otherServices = ['GET /media-proxy', 'PUT /upload/:world/:upload_id/:part_number']
const keyHeaders = ['authorization', 'x-api-key']

export const nearMiss = defineRule({
  name: 'near-miss',
  severity: 'error',
  mistake: 'A path or method that the API does not have.',
  advice: 'Look up the method and path in the list of routes (docs/routes.md).',
  source: 'reference §4 Endpoints',
  example: { wrong: 'get(`/v1/${account}/post`)', right: 'get(`/v1/${account}/posts`)' },
  find({ refusals }) {
    const unknown = refusals.filter(({ exchange }) => exchange.code === 'route_unknown')
    const groups = groupBy(
      unknown,
      ({ method, path }) => `${method} ${path.replaceAll(/\d+/g, 'n')}`,
    )
    return [...groups.values()].map((group) => {
      const [first] = group
      const near = first?.exchange.nearMisses ?? []
      return {
        message:
          `There is no ` +
          `${first?.name}${near.length === 0 ? '' : `; similar: ${near.join(', ')}`}.`,
        requests: group,
      }
    })
  },
})
