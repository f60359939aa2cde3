import { isDeepStrictEqual } from 'node:util'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import type { OverlayInput } from 'creator-api-sandbox/overlay'
import type { Route } from '../../src/api/route.ts'
import { once } from '../../src/lib/lazy-list.ts'
import { redactNames, formatOverlay } from '../../src/verify/verify-report.ts'
import type { RouteResult } from '../../src/verify/verify-report.ts'
import { LiveServiceError } from '../../src/verify/retrying-client.ts'
import type { LiveRequest } from '../../src/verify/retrying-client.ts'
import { verifyService } from '../../src/verify/verify.ts'
import type { Verification, VerifyOptions } from '../../src/verify/verify.ts'
import type { ServiceResponse } from '../../src/verify/service-response.ts'

const openWithoutOverlay = once(async () => {
  const sandbox = createSandbox({ scenario: 'solo', seed: 4 })
  await sandbox.ready
  return sandbox
})

/**
 * Opens a fake live service: a sandbox with a hidden overlay. Records its requests and responses.
 * `interfere` can replace a response, or throw as if the connection had closed.
 */
export async function openFakeLiveService(
  hidden: OverlayInput = { routes: {} },
  interfere: (count: number, request: LiveRequest) => ServiceResponse | undefined = () => undefined,
) {
  const sandbox = await openSandbox(hidden)
  const requests: LiveRequest[] = []
  const answers: unknown[] = []
  const ask = async (request: LiveRequest): Promise<ServiceResponse> => {
    requests.push(request)
    const instead = interfere(requests.length, request)
    if (instead !== undefined) return instead
    const { method, path, body } = request
    const response = await sandbox.fetch(sandbox.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.keys.owner}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const json = (await response.json()) as unknown
    answers.push(json)
    return { status: response.status, contentType: response.headers.get('content-type'), json }
  }
  return { sandbox, ask, requests, answers }
}

async function openSandbox(hidden: OverlayInput): Promise<Sandbox> {
  if (isDeepStrictEqual(hidden, { routes: {} })) return (await openWithoutOverlay()).fork()
  const sandbox = createSandbox({ scenario: 'solo', seed: 4, overlay: await readOverlay(hidden) })
  await sandbox.ready
  return sandbox
}

/** Compares a live service with the sandbox, optionally with overlays applied. */
export async function verifyFakeLiveService(
  live: Pick<Awaited<ReturnType<typeof openFakeLiveService>>, 'ask' | 'sandbox'>,
  {
    overlays = [],
    only,
    ...options
  }: Partial<VerifyOptions> & {
    overlays?: (OverlayInput | string)[]
    only?: readonly string[]
  } = {},
): Promise<Verification> {
  const { routes } = await readOverlay(...overlays)
  const wait = async (ms: number) => void live.sandbox.clock.advance(ms)
  const known = (routes as readonly Route[]).filter(
    ({ id }) => only === undefined || only.includes(id),
  )
  return verifyService({ routes: known, send: live.ask, wait, credits: 1000, ...options })
}

/** Returns the overlay that a verification writes. */
export function toServiceOverlay({ results, guard }: Verification): string {
  return formatOverlay(redactNames(results, guard), {
    date: '2026-09-30',
    note: 'verified',
    schemaLine: '# an overlay',
  })
}

/** Returns the findings by route. */
export function listDifferences(results: readonly RouteResult[]): Record<string, string[]> {
  const different = results.filter(({ outcome }) => outcome === 'differs' || outcome === 'absent')
  return Object.fromEntries(
    different.map(({ id, outcome, findings }) => [
      id,
      outcome === 'absent' ? ['absent'] : findings.map(({ path, text }) => `${path ?? ''} ${text}`),
    ]),
  )
}

/** Throws the error of a closed connection. */
export function throwConnectionError(): never {
  throw new LiveServiceError('the connection was cut')
}
