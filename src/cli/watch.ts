import { createServer, request as requestPlain } from 'node:http'
import type { IncomingMessage, RequestOptions, Server, ServerResponse } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Route } from '../api/route.ts'
import { guard } from '../control/guard.ts'
import { isSecretName } from '../lib/credentials.ts'
import { SandboxError } from '../errors.ts'
import { ListenError } from '../hosts/server/port.ts'
import { parseLive } from '../verify/live.ts'
import { schemaLine } from './schema-line.ts'
import { redact, toLines, toOverlayText, toSummary } from '../verify/report.ts'
import { Watch } from '../verify/watch.ts'
import { routes as shippedRoutes } from '../resources/all-routes.ts'
import type { WatchFlags } from './flags.ts'
import { createLog, endingSignals } from './host.ts'
import type { Host } from './host.ts'
import { readOverlaySources } from '../overlay/sources.ts'
import { save, today } from './verify.ts'

const defaultPort = 4011
/** Longer answers are passed through without inspection, bytes. */
const maxLookLength = 1024 * 1024

/**
 * Passes requests through to a live service until a signal ends it, and learns from the answers how
 * the service differs. @throws {SandboxError} without --live, or if the port is not available.
 */
export async function watchLive(
  { live, port = defaultPort, out, enums, overlay }: WatchFlags,
  host: Host,
): Promise<void> {
  if (live === undefined)
    throw new SandboxError('Failed to watch: --live is missing. Give --live URL. See watch --help.')
  const base = new URL(`${parseLive(live)}/`)
  const routes =
    overlay === undefined
      ? shippedRoutes
      : ((await readOverlaySources(overlay)).routes as readonly Route[])
  const watch = new Watch(routes, { enums })
  const log = createLog(host)
  const keep = out === undefined ? () => {} : createKeeper(watch, out)
  keep()
  const learn: Passing['learn'] = (head, answered) => {
    watch.see(head, answered)
    try {
      keep()
    } catch (error) {
      log((error as Error).message) // The next fact retries the write.
    }
  }
  const server = createServer((incoming, outgoing) =>
    answer({
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
    `Passes http://127.0.0.1:${taken} through to ${base.origin}. Let your client ask there; ` +
      `what is learnt stands at ` +
      `http://127.0.0.1:${taken}/_sandbox/ and is printed at the end (Ctrl+C).\n`,
  )
  let isClosing = false
  const end = () => {
    if (isClosing) return host.exit(1)
    isClosing = true
    server.close()
    server.closeAllConnections()
    host.stdout.write(`\n${describeWatch(watch)}`)
    try {
      keep()
      host.exit(0)
    } catch (error) {
      log((error as Error).message)
      host.exit(1)
    }
  }
  for (const signal of endingSignals) host.on(signal, end)
}

/** Returns a function that writes the overlay to a file if there is a new fact. */
function createKeeper(watch: Watch, out: string): () => void {
  let written: string | undefined
  return () => {
    const text = toOverlayText(redact(watch.results(), watch.guard), {
      date: today(),
      note: 'watched',
      schemaLine: schemaLine(out, 'docs/overlay.schema.json'),
    })
    if (text === written) return
    save(out, text)
    written = text
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ListenError(
          `Failed to listen on 127.0.0.1:${port}: ${error.message}. Give another --port.`,
          { cause: error },
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** Formats the table, and the paths that the sandbox does not know. */
function describeWatch(watch: Watch): string {
  const results = redact(watch.results(), watch.guard)
  const unknown = watch.unknown().map((address) => `unknown   ${address}`)
  return `${[...toLines(results), ...unknown, toSummary(results)].join('\n')}\n`
}

interface Passing {
  incoming: IncomingMessage
  outgoing: ServerResponse
  base: URL
  /** Learns from an answer. */
  learn: Watch['see']
  /** Keeps a secret of the client out of the report. */
  hide: (secret: string) => void
  /** Formats the table so far. */
  describe: () => string
}

function answer(passing: Passing): void {
  const { incoming, outgoing, describe } = passing
  const url = incoming.url ?? '/'
  const refusal = guard(
    { header: (name) => incoming.headers[name]?.toString() ?? null },
    { baseUrl: () => 'http://127.0.0.1' },
  )
  if (refusal !== undefined) return refuse(outgoing, refusal.status, refusal.message)
  if (!url.startsWith('/'))
    return refuse(outgoing, 400, 'watch only passes on paths of the service.')
  if (!/^\/_sandbox(?:[/?]|$)/.test(url)) return pass(passing, url)
  outgoing.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  outgoing.end(describe())
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  outgoing.end(JSON.stringify({ error: text }))
}

/** Passes on a request and its answer, both unchanged. */
function pass({ incoming, outgoing, base, learn, hide }: Passing, url: string): void {
  for (const secret of secretsIn(incoming)) hide(secret)
  const options: RequestOptions = {
    method: incoming.method,
    path: base.pathname.replace(/\/$/, '') + url,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    headers: rawHeaders(incoming, base.host),
  }
  const outward = (base.protocol === 'https:' ? requestSecure : requestPlain)(
    options,
    (response) => {
      const problem = passHead(response, outgoing)
      if (problem !== undefined) {
        response.destroy()
        return refuse(outgoing, 502, `The service answered ${problem}.`)
      }
      const look = startLook(response)
      response.on('data', (piece: Buffer) => look.take(piece))
      response.on('end', () => {
        const { isLookedAt, json } = look.finish()
        const head = { method: incoming.method ?? 'GET', url, isLookedAt }
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
  // Without a listener the answer would never end.
  outward.on('upgrade', (_, socket) => {
    socket.destroy()
    refuse(outgoing, 502, 'The service answered 101, but watch cannot switch protocols.')
  })
  outward.on('error', (error: NodeJS.ErrnoException) =>
    refuse(outgoing, 502, `watch did not reach the service (${error.code ?? 'no answer'}).`),
  )
  outgoing.on('close', () => outward.destroy())
  incoming.pipe(outward)
}

/**
 * Passes on the status and headers of an answer. Returns the problem if HTTP does not allow them.
 */
function passHead(
  { statusCode = 0, statusMessage, rawHeaders: raw }: IncomingMessage,
  outgoing: ServerResponse,
): string | undefined {
  if (statusCode < 200 || statusCode > 599) return `${statusCode}, which is not a valid status`
  const isReason = /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage ?? '')
  try {
    if (isReason) outgoing.writeHead(statusCode, statusMessage, raw)
    else outgoing.writeHead(statusCode, raw)
    return undefined
  } catch (error) {
    return `headers that HTTP does not allow (${(error as NodeJS.ErrnoException).code})`
  }
}

/** The headers of a request as they came, with another host name. */
function rawHeaders({ rawHeaders: raw }: IncomingMessage, host: string): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    kept.push(name, name.toLowerCase() === 'host' ? host : value)
  }
  return kept
}

/** The credentials in the headers of a request, without their schemes. */
function secretsIn({ headers }: IncomingMessage): string[] {
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

/** Collects a JSON answer as long as it is short. */
function startLook({ headers }: IncomingMessage): {
  take: (piece: Buffer) => void
  finish: () => { isLookedAt: boolean; json: unknown }
} {
  const isJson = /\bjson\b/i.test(headers['content-type'] ?? '')
  const pieces: Buffer[] = []
  let size = 0
  return {
    take(piece) {
      size += piece.length
      if (isJson && size < maxLookLength) pieces.push(piece)
      else pieces.length = 0
    },
    finish() {
      const isLookedAt = size < maxLookLength
      return {
        isLookedAt,
        json:
          isJson && isLookedAt
            ? parse(Buffer.concat(pieces), headers['content-encoding'])
            : undefined,
      }
    },
  }
}

function parse(bytes: Buffer, encoding = 'identity'): unknown {
  const most = { maxOutputLength: maxLookLength * 8 }
  try {
    if (encoding === 'gzip') return JSON.parse(gunzipSync(bytes, most).toString('utf8'))
    if (encoding === 'br') return JSON.parse(brotliDecompressSync(bytes, most).toString('utf8'))
    if (encoding === 'deflate') return JSON.parse(inflateSync(bytes, most).toString('utf8'))
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined // The watch reports an answer that is not JSON.
  }
}
