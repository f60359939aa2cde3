import type { Exchange } from '../../world/journal/exchange.ts'
import { groupBy } from '../group.ts'
import { defineRule } from '../rule.ts'
import { isAfter } from '../sent.ts'
import { count } from '../count.ts'

export const wrongKey = defineRule({
  name: 'wrong-key',
  severity: 'error',
  mistake:
    'A request without a key, or with a key that is not from this service. Also three or ' +
    'more requests with a revoked key after a 401.',
  advice:
    'Send Authorization: Bearer KEY, or X-API-Key: KEY, with every request under /v1/. Stop' +
    ' sending requests once a key is refused.',
  source: 'reference §5 Authentication',
  example: {
    wrong: 'fetch(url)',
    right: 'fetch(url, { headers: { authorization: `Bearer ${process.env.API_KEY}` } })',
  },
  find({ refusals }) {
    const unknown = refusals.filter(
      ({ exchange, path }) => isForeign(exchange) && !askedByBrowsers.test(path),
    )
    const groups = groupBy(unknown, ({ exchange }) => exchange.code ?? undefined)
    const sights = [...groups].map(([code, group]) => ({
      message:
        `${count(group.length, 'request')} came ` +
        `${code === 'key_missing' ? 'without a key' : 'with an unknown key'}.`,
      requests: group,
    }))
    const [first, ...further] = refusals.filter(({ exchange }) => exchange.isKeyRevoked)
    const deaf = further.filter((request) => first !== undefined && isAfter(request, first))
    if (deaf.length >= tooMany)
      sights.push({
        message:
          `${count(deaf.length, 'request')} came with a revoked key, ` +
          `after a 401 had reported it.`,
        requests: deaf,
      })
    return sights
  },
})

/** Paths that browsers request automatically. */
const askedByBrowsers =
  /^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[\w-]*\.png|\.well-known\/.*)$/

/** This many requests after the first 401 are not just concurrent ones. */
const tooMany = 3

function isForeign({ code, isKeyRevoked }: Exchange): boolean {
  return code === 'key_missing' || (code === 'key_unknown' && isKeyRevoked !== true)
}

export const keyInUrl = defineRule({
  name: 'key-in-url',
  severity: 'error',
  mistake: 'A key in an address, where logs, proxies and browser histories store it.',
  advice: 'Send the key only in a header, and replace the one that was sent.',
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
    const message = `${count(shown.length, 'request')} had a key in the address.`
    return [{ message, requests: shown }]
  },
})

export const keySentAway = defineRule({
  name: 'key-sent-away',
  severity: 'warning',
  mistake: 'The API key was sent to the address of an upload or of a media link.',
  advice:
    'Send the key only to the API. The URLs of uploads and media belong to other services, and ' +
    'give access without a key.',
  source: 'reference §5.6 and §8 Media links: the link itself gives access',
  example: {
    wrong: 'axios.defaults.headers.common.authorization = `Bearer ${key}`',
    right: 'const api = axios.create({ baseURL, headers: { authorization: `Bearer ${key}` } })',
  },
  find({ requests }) {
    const away = requests.filter(
      ({ route, exchange: { request } }) =>
        route !== undefined &&
        foreignAddresses.includes(route.id) &&
        keyHeaders.some((name) => request.headers[name] !== undefined),
    )
    return [...groupBy(away, ({ name }) => name)].map(([name, group]) => ({
      message: `${name} was sent the API key, ${count(group.length, 'time')}.`,
      requests: group,
    }))
  },
})

const foreignAddresses = ['GET /media-proxy', 'PUT /upload/:world/:upload_id/:part_number']
const keyHeaders = ['authorization', 'x-api-key']

export const nearMiss = defineRule({
  name: 'near-miss',
  severity: 'error',
  mistake: 'A path, or a method of a path, that the API does not have.',
  advice: 'Take method and path from the list of routes (docs/routes.md).',
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
