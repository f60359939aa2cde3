import { createServer, request as requestPlain } from 'node:http'
import type { IncomingMessage, RequestOptions, Server, ServerResponse } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { checkForeignRequest } from '../control/guard.ts'
import { isSecretName } from '../lib/credentials.ts'
import { SandboxError } from '../errors.ts'
import { ListenError } from '../hosts/server/port.ts'
import { parseLiveUrl } from '../verify/live-service.ts'
import { toSchemaComment } from './schema-line.ts'
import {
  redactNames,
  formatResultLines,
  formatOverlay,
  formatResultSummary,
} from '../verify/verify-report.ts'
import { TrafficWatcher } from '../verify/traffic-watcher.ts'
import type { WatchFlags } from './flags.ts'
import { createLogger, endingSignals } from './host.ts'
import type { Host } from './host.ts'
import { readRoutes } from './routes.ts'
import { writeTextFile, getToday } from './verify.ts'

const defaultPort = 4011
/** Maximum length of an inspected response, bytes. */
const maxInspectedLength = 1024 * 1024

/**
 * Forwards requests to a live service until a signal stops it, and compares the responses with the
 * sandbox.
 *
 * @throws {SandboxError} without --live, or if the port is not available
 */
export async function watchLiveService(
  { live, port = defaultPort, out, enums, overlay }: WatchFlags,
  host: Host,
): Promise<void> {
  if (live === undefined)
    throw new SandboxError('Failed to watch: --live is missing. Add --live URL. See watch --help.')
  const base = new URL(`${parseLiveUrl(live)}/`)
  const routes = await readRoutes(overlay)
  const watch = new TrafficWatcher(routes, { enums })
  const log = createLogger(host)
  const writeOverlay = out === undefined ? async () => {} : createWriter(watch, out)
  await writeOverlay()
  const learn: ForwardedTraffic['learn'] = (head, answered) => {
    watch.see(head, answered)
    // Logs an error and continues, because the next finding writes the whole overlay again.
    void writeOverlay().catch((error: unknown) => log((error as Error).message))
  }
  const server = createServer((incoming, outgoing) =>
    forwardRequest({
      incoming,
      outgoing,
      base,
      learn,
      hide: (secret) => watch.guard.hide(secret),
      describe: () => describeWatch(watch),
    }),
  )
  await listenOn(server, port)
  const { port: taken } = server.address() as AddressInfo
  host.stdout.write(
    `Forwarding requests from http://127.0.0.1:${taken} to ${base.origin}. Point your client to ` +
      `http://127.0.0.1:${taken}. The findings are at http://127.0.0.1:${taken}/_sandbox/ and ` +
      `are printed at the end (Ctrl+C).\n`,
  )
  let isClosing = false
  const end = async () => {
    if (isClosing) return host.exit(1)
    isClosing = true
    server.close()
    server.closeAllConnections()
    host.stdout.write(`\n${describeWatch(watch)}`)
    try {
      await writeOverlay()
      host.exit(0)
    } catch (error) {
      log((error as Error).message)
      host.exit(1)
    }
  }
  for (const signal of endingSignals) host.on(signal, () => void end())
}

/**
 * Returns a function that writes the overlay file if there is a new finding, after earlier writes.
 */
function createWriter(watch: TrafficWatcher, out: string): () => Promise<void> {
  let written: string | undefined
  let earlier = Promise.resolve()
  const write = async () => {
    const text = formatOverlay(redactNames(watch.results(), watch.guard), {
      date: getToday(),
      note: 'watched',
      schemaLine: toSchemaComment(out, 'docs/overlay.schema.json'),
    })
    if (text === written) return
    await writeTextFile(out, text)
    written = text
  }
  return () => {
    earlier = earlier.then(write, write)
    return earlier
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ListenError(
          `Failed to listen on 127.0.0.1:${port}: ${error.message}. Use another --port.`,
          { cause: error },
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** Formats the table and the paths that the sandbox does not have. */
function describeWatch(watch: TrafficWatcher): string {
  const results = redactNames(watch.results(), watch.guard)
  const unknown = watch.unknown().map((address) => `unknown   ${address}`)
  return `${[...formatResultLines(results), ...unknown, formatResultSummary(results)].join('\n')}\n`
}

interface ForwardedTraffic {
  incoming: IncomingMessage
  outgoing: ServerResponse
  base: URL
  /** Adds a response's structure to the results. */
  learn: TrafficWatcher['see']
  /** Masks a client's secret in the report. */
  hide: (secret: string) => void
  /** Formats the current results as a table. */
  describe: () => string
}

function forwardRequest(passing: ForwardedTraffic): void {
  const { incoming, outgoing, describe } = passing
  const url = incoming.url ?? '/'
  const refusal = checkForeignRequest(
    { header: (name) => incoming.headers[name]?.toString() ?? null },
    { baseUrl: () => 'http://127.0.0.1' },
  )
  if (refusal !== undefined) return rejectRequest(outgoing, refusal.status, refusal.message)
  if (!url.startsWith('/'))
    return rejectRequest(outgoing, 400, 'watch only forwards paths of the service.')
  if (!/^\/_sandbox(?:[/?]|$)/.test(url)) return forward(passing, url)
  outgoing.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  outgoing.end(describe())
}

function rejectRequest(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  outgoing.end(JSON.stringify({ error: text }))
}

/** Forwards a request and its response unchanged. */
function forward({ incoming, outgoing, base, learn, hide }: ForwardedTraffic, url: string): void {
  for (const secret of listSecrets(incoming)) hide(secret)
  const options: RequestOptions = {
    method: incoming.method,
    path: base.pathname.replace(/\/$/, '') + url,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    headers: toForwardedHeaders(incoming, base.host),
  }
  let answer: IncomingMessage | undefined
  const outward = (base.protocol === 'https:' ? requestSecure : requestPlain)(
    options,
    (response) => {
      answer = response
      const problem = forwardHead(response, outgoing)
      if (problem !== undefined) {
        response.destroy()
        return rejectRequest(outgoing, 502, `The service answered ${problem}.`)
      }
      const inspection = startInspection(response)
      response.on('data', (piece: Buffer) => inspection.take(piece))
      response.on('end', () => {
        const { isInspected, json } = inspection.finish()
        const head = { method: incoming.method ?? 'GET', url, isInspected }
        learn(head, {
          status: response.statusCode ?? 502,
          contentType: response.headers['content-type'] ?? null,
          json,
        })
      })
      response.on('error', () => outgoing.destroy())
      response.pipe(outgoing)
    },
  )
  // Without a listener, a request to upgrade the connection would never get a response.
  outward.on('upgrade', (_, socket) => {
    socket.destroy()
    rejectRequest(outgoing, 502, 'The service answered 101, but watch cannot switch protocols.')
  })
  outward.on('error', (error: NodeJS.ErrnoException) => {
    // Ignores bytes after a complete response, such as the body of a 204.
    if (answer?.complete === true) return
    rejectRequest(
      outgoing,
      502,
      `watch could not reach the service (${error.code ?? 'no response'}).`,
    )
  })
  outgoing.on('close', () => outward.destroy())
  incoming.pipe(outward)
}

/** Forwards the status and headers of a response. Returns a problem if they are not valid HTTP. */
function forwardHead(
  { statusCode = 0, statusMessage, rawHeaders: raw }: IncomingMessage,
  outgoing: ServerResponse,
): string | undefined {
  if (statusCode < 200 || statusCode > 599) return `the status ${statusCode}, which is not valid`
  const isReason = /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage ?? '')
  try {
    if (isReason) outgoing.writeHead(statusCode, statusMessage, raw)
    else outgoing.writeHead(statusCode, raw)
    return undefined
  } catch (error) {
    return `headers that are not valid HTTP (${(error as NodeJS.ErrnoException).code})`
  }
}

/** Returns the request headers, unchanged except for the host. */
function toForwardedHeaders({ rawHeaders: raw }: IncomingMessage, host: string): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    kept.push(name, name.toLowerCase() === 'host' ? host : value)
  }
  return kept
}

/** Returns the credentials in the request headers, without their schemes. */
function listSecrets({ headers }: IncomingMessage): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isSecretName(name)
      ? [
          String(value)
            .replace(/^\w+ +/, '')
            .trim(),
        ]
      : [],
  )
}

/** Collects a JSON response up to the maximum length, then parses it. */
function startInspection({ headers }: IncomingMessage): {
  take: (piece: Buffer) => void
  finish: () => { isInspected: boolean; json: unknown }
} {
  const isJson = /\bjson\b/i.test(headers['content-type'] ?? '')
  const pieces: Buffer[] = []
  let size = 0
  return {
    take(piece) {
      size += piece.length
      if (isJson && size < maxInspectedLength) pieces.push(piece)
      else pieces.length = 0
    },
    finish() {
      const isInspected = size < maxInspectedLength
      return {
        isInspected,
        json:
          isJson && isInspected
            ? parse(Buffer.concat(pieces), headers['content-encoding'])
            : undefined,
      }
    },
  }
}

function parse(bytes: Buffer, encoding = 'identity'): unknown {
  const most = { maxOutputLength: maxInspectedLength * 8 }
  try {
    if (encoding === 'gzip') return JSON.parse(gunzipSync(bytes, most).toString('utf8'))
    if (encoding === 'br') return JSON.parse(brotliDecompressSync(bytes, most).toString('utf8'))
    if (encoding === 'deflate') return JSON.parse(inflateSync(bytes, most).toString('utf8'))
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // Returns undefined, so that the report shows that the response is not JSON.
    return undefined
  }
}
