import type { Api } from '../shared/api.ts'
import type { Row } from '../shared/types.ts'
import type { PreparedRequest } from './request.ts'

/** A response, possibly incomplete. */
export interface ReceivedText {
  status: number
  type: string
  /** Undefined for a file, whose content is not read. */
  text: string | undefined
  headers: Readonly<Record<string, string>>
  bytes: number
  milliseconds: number
  /** Id of the request in the journal, or undefined if unknown. */
  id: number | undefined
  url: string
}

interface SendOptions {
  /**
   * Client of the control plane, which finds the id of the request. Undefined without a control
   * token.
   */
  api: Api | undefined
  file: File | undefined
  signal: AbortSignal
  /** Receives the response, and each part of a stream. */
  onPart: (answer: ReceivedText) => void
}

/** Maximum length of a stream that is kept, characters. */
const maxKept = 200_000

/** Sends a request and reports the response. If stopped, returns the part received so far. */
export async function sendRequest(
  request: PreparedRequest,
  { api, file, signal, onPart }: SendOptions,
): Promise<void> {
  const { method, url, headers } = request
  const body = request.isFile ? (file ?? null) : request.body
  const startedAt = performance.now()
  const response = await fetch(url, { method, headers, body, signal, cache: 'no-store' }).catch(
    (cause: unknown) => {
      if (signal.aborted) return undefined
      throw new Error(
        'No response: a fault closed the connection, or the sandbox is no longer running.',
        { cause },
      )
    },
  )
  if (response === undefined) return
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  let answer: ReceivedText = {
    status: response.status,
    type,
    text: isText(type) ? '' : undefined,
    headers: Object.fromEntries(response.headers),
    bytes: 0,
    milliseconds: performance.now() - startedAt,
    id: undefined,
    url,
  }
  const show = (part: Partial<ReceivedText>) => {
    answer = { ...answer, ...part }
    // Only streams are shown before they are complete.
    if (isStream || 'id' in part) onPart(answer)
  }
  await readBody(response, (text, bytes) => {
    const all = answer.text === undefined ? undefined : answer.text + text
    show({
      text: isStream ? all?.slice(-maxKept) : all,
      bytes: answer.bytes + bytes,
      milliseconds: performance.now() - startedAt,
    })
  })
  show({ id: await findId(request, api) })
}

/** Reads a response in parts until it ends or is stopped. */
async function readBody(
  { body }: Response,
  onPart: (text: string, bytes: number) => void,
): Promise<void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    // If the response is stopped or the connection breaks, the earlier parts are already shown.
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) return
    onPart(decoder.decode(value, { stream: true }), value.length)
  }
}

/**
 * Finds the page's newest request to the same path in the journal. Ignores credentials, which the
 * journal masks. Returns undefined without access to the control plane.
 */
async function findId(
  { method, url }: PreparedRequest,
  api: Api | undefined,
): Promise<number | undefined> {
  const rows = await api
    ?.get<Row[]>('_sandbox/requests', { brief: 'true', limit: 20, asked_by: 'docs' })
    .catch(() => [])
  const path = new URL(url).pathname
  return rows?.find((row) => row.method === method && path.endsWith(row.path.replace(/\?.*/s, '')))
    ?.id
}

function isText(type: string): boolean {
  return type === '' || /json|^text\//.test(type)
}
