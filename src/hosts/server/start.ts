/// <reference lib="esnext.disposable" preserve="true" />
import { checkInput } from '../../api/check-input.ts'
import { getRealTime } from '../../world/real-time.ts'
import { trimStackToCaller } from '../../errors.ts'
import { createSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ServedSandbox } from '../../sandbox/served-sandbox.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { parseRoutingOptions } from './routing-options.ts'
import type { SiteOptions } from './routing-options.ts'
import { listen } from './listen.ts'
import { addMetrics } from './load-metrics.ts'
import { Place, requireControlToken } from './network-exposure.ts'
import { openPort } from './port.ts'
import { warnAboutSeededKeys } from './network-exposure.ts'

/**
 * Options of a server: the options of its sandbox, the hosts and origins that it accepts, and its
 * address.
 */
export interface ServerOptions extends SandboxOptions, Omit<SiteOptions, 'hosts'> {
  /**
   * Port to listen on, or 0 for a free one.
   * @default 4010
   */
  port?: number
  /**
   * Address to listen on. If it is not a loopback address, `controlToken` is required.
   * @default '127.0.0.1'
   */
  host?: string
  /**
   * True to serve Prometheus metrics at `/_sandbox/metrics`. Requires the package `prom-client`,
   * which you must install.
   * @default false
   */
  metrics?: boolean
}

/** A running server. `await using` stops it at the end of a block. */
export interface SandboxServer extends AsyncDisposable {
  /** URL of the server, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** The served sandbox, which can be controlled directly in this process. */
  readonly sandbox: Sandbox
  /**
   * Stops accepting requests, finishes requests in flight, and closes the sandbox. Later calls
   * return the same promise.
   */
  stop: () => Promise<void>
}

/**
 * Starts a server with the API, the control plane, the console and the reference, as the command
 * does. Resolves when the data is loaded and the server is listening. Accepts the options of
 * `createSandbox`. The defaults are the same, for example a frozen clock, except that `baseUrl` is
 * the server's URL and `realTime` returns the real time.
 *
 * @throws {SandboxError} if an option is unknown or out of range, or the address is unavailable.
 * @example
 * await using server = await startServer({ port: 0, scenario: 'solo' })
 * await fetch(`${server.url}/health`)
 */
export async function startServer(options: ServerOptions = {}): Promise<SandboxServer> {
  const { place, site, sandbox } = prepare(options)
  try {
    await sandbox.ready
    const served = new ServedSandbox(sandbox)
    await served.prepare()
    const observe = place.metrics ? await addMetrics(served) : undefined
    const open = await openPort(place)
    listen(served, open, { ...site, host: place.host, baseUrl: options.baseUrl, observe })
    warnAboutSeededKeys(sandbox, place.host, options.log ?? (() => {}))
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= open.close().then(() => sandbox.close()))
    return { url: open.url, sandbox, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    sandbox.close()
    throw error
  }
}

/**
 * Reads the options and creates the sandbox. Sets `realTime` to the system clock, which the
 * server's clients also use.
 */
function prepare({
  port,
  host,
  allowHosts,
  allowOrigins,
  cors,
  controlToken,
  metrics,
  ...sandboxOptions
}: ServerOptions) {
  try {
    const place = checkInput(Place, { port, host, metrics }, { verb: 'start the server' })
    const site = parseRoutingOptions({ allowHosts, allowOrigins, cors, controlToken })
    requireControlToken(place.host, controlToken)
    return { place, site, sandbox: createSandbox({ realTime: getRealTime, ...sandboxOptions }) }
  } catch (error) {
    throw trimStackToCaller(error, startServer)
  }
}
