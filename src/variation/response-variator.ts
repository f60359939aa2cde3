import { createApiError, ApiError } from '../errors.ts'
import { splitUrl } from '../lib/url.ts'
import { wait } from '../api/inject-fault.ts'
import { defineVariation, toOutputShape } from './variation.ts'
import type {
  Variation,
  VariableResponse,
  VariationHooks,
  VariationContext,
  Varied,
  JsonObject,
  Shape,
} from './variation.ts'
import type { SentRequestState, Variator } from '../api/variation-service.ts'
import { joinChunks, toChunks } from '../lib/chunks.ts'
import { Random } from '../world/random.ts'
import type { Call, Reply, Route } from '../api/route.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { fieldVariations } from './field-variations.ts'
import { idVariations } from './id-variations.ts'
import { pageVariations } from './page-variations.ts'
import { isObject } from '../lib/plain-json.ts'

const errorTexts = defineVariation({
  name: 'error-texts',
  does:
    'Errors have different messages. The message of a 400 still contains the value and ' +
    'the allowed values.',
  breaks: 'A client that checks the message of an error instead of its status.',
  source: 'reference §7: error message texts and machine-readable error codes are not shown',
  keepsValues: true,
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
    'A client with a race condition between two requests, or with a timeout that is too short.',
  source:
    'reference §1: relay routes pass a request to the upstream platform; no response time ' +
    'is promised',
  keepsValues: true,
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
  keepsValues: true,
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

/** A variation that was applied to a request and will be applied to the response. */
interface AppliedVariation extends Pick<VariationHooks, 'varyResponse'> {
  asked: Varied
  /** The call after this variation was applied. */
  call: Call
}

/** Shapes of the routes' data. Each is computed on first use. */
export type Shapes = Map<Route, Shape>

/** The parts of a world that a variator uses. */
interface VariationWorld extends Pick<VariationContext, 'isAccount' | 'delays'> {
  shapes: Shapes
  /**
   * Returns the response to a read-only request without variations. Returns undefined if the
   * request would be rejected.
   */
  previewReply: (call: Call) => Reply | undefined
}

/** Creates the variator of a world. */
export function createResponseVariator(
  { seed, only, delayMs }: VariationChoice,
  { shapes, isAccount, delays, previewReply }: VariationWorld,
): Variator {
  const preview = (call: Call) => {
    const reply = previewReply(call)
    return reply && parseVariableResponse(reply, undefined)?.body
  }
  const random = new Random(seed)
  const chosen = variations
    .filter(({ name }) => only === undefined || only.includes(name))
    .map(({ name, open }) => ({ name, hooks: open({ isAccount, preview, delayMs, delays }) }))
  let changed = 0

  const enter = async ({
    sent,
    route,
  }: SentRequestState): Promise<{
    call: Call
    steps: readonly AppliedVariation[]
    isChanged: boolean
  }> => {
    const steps: AppliedVariation[] = []
    let call = sent
    for (const { name, hooks } of chosen) {
      const asked = { sent: call, route, random: random.branch(name, sent.method, sent.url) }
      try {
        call = (await hooks.varyRequest?.(asked)) ?? call
      } catch (refusal) {
        if (!(refusal instanceof ApiError)) throw refusal
        call = { ...call, refusal }
      }
      steps.push({ asked, call, varyResponse: hooks.varyResponse })
      if (call.refusal !== undefined) break
    }
    return { call, steps, isChanged: call !== sent }
  }

  return {
    async start(asked) {
      const { call, steps, isChanged } = await enter(asked)
      const toReply = (reply: Reply): Reply => {
        const answer = parseVariableResponse(reply, getDataShape(shapes, asked.route))
        let isOther = false
        // Applies the variations to the response in reverse order. Passes each variation the call
        // that it returned for the request.
        if (answer !== undefined)
          for (const step of steps.toReversed())
            if (step.varyResponse?.(answer, { ...step.asked, call: step.call }) === true)
              isOther = true
        if (isOther || isChanged) changed += 1
        return isOther && answer !== undefined
          ? { ...reply, body: JSON.stringify(answer.body) }
          : reply
      }
      return { call, toReply }
    },
    get changed() {
      return changed
    },
  }
}

/**
 * Parses a response. If it is not JSON, the result contains only the status. Returns undefined for
 * responses that cannot be varied, such as streams.
 */
function parseVariableResponse(
  { status, headers, body, cut, stream }: Reply,
  shape: Shape | undefined,
): VariableResponse | undefined {
  if (cut !== undefined || stream !== undefined) return undefined
  const isJson = headers['content-type']?.startsWith('application/json') === true
  if (!isJson || body === null) return { status, body: {}, shape: undefined }
  const parsed = parse(
    typeof body === 'string' ? body : new TextDecoder().decode(joinChunks(toChunks(body))),
  )
  return parsed && { status, body: parsed, shape: status < 300 ? shape : undefined }
}

/** Parses a body. Returns undefined if it is not a JSON object, which can happen with faults. */
function parse(text: string): JsonObject | undefined {
  try {
    const body = JSON.parse(text) as unknown
    return isObject(body) ? (body as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** Returns the shape of a route's data. Returns undefined for routes without an envelope. */
function getDataShape(shapes: Shapes, route: Route | undefined): Shape | undefined {
  if (route === undefined || route.data === null || route.accessChecks === 'none') return undefined
  const shape = shapes.get(route) ?? toOutputShape(route.data)
  shapes.set(route, shape)
  return shape
}

/** All variations, in the order in which they are applied. */
export const variations: readonly Variation[] = [
  ...fieldVariations,
  ...idVariations,
  ...pageVariations,
  ...answerVariations,
]
