import { createApiError } from '../errors.ts'
import { splitUrl } from '../lib/url.ts'
import { wait } from '../api/inject-fault.ts'
import { defineVariation } from './variation.ts'
import type { Variation } from './variation.ts'

const errorTexts = defineVariation({
  name: 'error-texts',
  does:
    'Errors have different messages. The message of a 400 still contains the value and ' +
    'the allowed values.',
  breaks: 'A client that checks the message of an error instead of its status.',
  source: 'reference §7: error message texts and machine-readable error codes are not shown',
  open: () => ({
    varyResponse({ status, body }, { random }) {
      const { error } = body
      if (typeof error !== 'string' || status < 400) return false
      body['error'] =
        status === 400
          ? `The request is not valid. Details: ${error}`
          : (otherTexts[status] ?? random.pick(failures))
      return true
    },
  }),
})

const otherTexts: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  402: 'Your plan does not cover this request.',
  403: 'Access denied.',
  404: 'We could not find what you are looking for.',
  413: 'Payload too large.',
  424: 'The upstream connection needs attention.',
  429: 'Slow down.',
}
const failures = ['Something went wrong.', 'Upstream failure.', 'Please try again later.']

const slowAnswers = defineVariation({
  name: 'slow-answers',
  does: 'Responses of relay routes are delayed by up to 200 ms in real time.',
  breaks:
    'A client with a race condition between two requests, or with a timeout that is ' +
    'too short.',
  source:
    'reference §1: relay routes pass a request to the upstream platform; no response time ' +
    'is promised',
  open: ({ delayMs, delays }) => ({
    async varyRequest({ sent, route, random }) {
      if (route?.kind !== 'relay' || delayMs === 0) return undefined
      await wait(random.integer(1, delayMs), sent.signal, delays)
      return { ...sent }
    },
  }),
})

const mediaPath = '/media-proxy'

const expiringLinks = defineVariation({
  name: 'expiring-links',
  does:
    'Each media link works only once. After its first use, the link is expired until a ' +
    'response contains it again.',
  breaks:
    'A client that caches links or reads a file in chunks, and does not request the item again ' +
    'after a 403.',
  source:
    'reference §4 Vault: a cached link may have expired, and refresh renews it; §7: the remedy ' +
    'is to request the item again',
  isFixed: true,
  open() {
    const opened = new Set<string>()
    return {
      varyRequest({ sent }) {
        const { path, rawQuery } = splitUrl(sent.url)
        if (path === mediaPath && opened.has(toSignature(rawQuery)))
          throw createApiError('media_link_expired')
        return undefined
      },
      varyResponse({ status, body }, { sent }) {
        const { path, rawQuery } = splitUrl(sent.url)
        if (path === mediaPath && status < 300 && sent.method === 'GET')
          opened.add(toSignature(rawQuery))
        if (path === mediaPath || opened.size === 0) return false
        const text = JSON.stringify(body)
        for (const signature of opened) if (text.includes(signature)) opened.delete(signature)
        return false
      },
    }
  },
})

function toSignature(rawQuery: string): string {
  return new URLSearchParams(rawQuery).get('sig') ?? ''
}

/** All variations of errors, response times and media links. */
export const answerVariations: readonly Variation[] = [errorTexts, slowAnswers, expiringLinks]
