import { isMissingPackage } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'

/** Timeout for a command, ms. */
const commandMs = 5_000
/** Number of timer ticks until the timeout. */
const maxTicks = 10
/** Delay between attempts to reconnect, ms. */
const reconnectMs = 500

/** The parts of the `redis` client that this connection uses. */
interface Client {
  readonly isOpen: boolean
  on: (event: 'error', listener: (error: Error) => void) => unknown
  connect: () => Promise<unknown>
  duplicate: () => Client
  sendCommand: (args: readonly Argument[], options?: object) => Promise<unknown>
  subscribe: (channel: string, listener: (message: string) => void) => Promise<unknown>
  destroy: () => void
}
/** One argument of a Redis command. */
export type Argument = string | Buffer

/** A connection to Redis or Valkey. Reconnects automatically. */
export class RedisConnection {
  readonly place: string
  readonly #client: Client
  readonly #isOpen: { now: boolean }
  readonly #subscribers: Client[] = []

  private constructor(
    client: Client,
    { place, isOpen }: { place: string; isOpen: { now: boolean } },
  ) {
    this.#client = client
    this.#isOpen = isOpen
    this.place = place
  }

  /**
   * Connects.
   *
   * @throws {SandboxError} if the URL is invalid or the package is missing
   */
  static async open(url: string, password: string | undefined): Promise<RedisConnection> {
    const place = parseRedisAddress(url)
    const createClient = await loadClient()
    const isOpen = { now: false }
    const client = createClient({
      url,
      password,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: commandMs,
        reconnectStrategy: (_: number, cause: Error) => (isOpen.now ? reconnectMs : cause),
      },
    })
    await connect(client)
    isOpen.now = true
    return new RedisConnection(client, { place, isOpen })
  }

  /**
   * Sends a command.
   *
   * @throws {SandboxError} with the reason if Redis did not execute it
   */
  async send(args: readonly Argument[], options: object = {}): Promise<unknown> {
    try {
      return await waitInTime(this.#client.sendCommand(args, options))
    } catch (error) {
      if (error instanceof SandboxError) throw error
      throw new SandboxError(describeRedisError(error), { cause: error })
    }
  }

  /** Subscribes to a channel on a separate connection. */
  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    const client = this.#client.duplicate()
    this.#subscribers.push(client)
    await connect(client)
    await client.subscribe(channel, listener)
  }

  close(): void {
    this.#isOpen.now = false
    for (const client of [this.#client, ...this.#subscribers]) client.destroy()
  }
}

async function connect(client: Client): Promise<void> {
  // Without a listener, an error event would end the process. The next command reports the error.
  client.on('error', () => {})
  try {
    await waitInTime(client.connect())
  } catch (error) {
    if (client.isOpen) client.destroy()
    throw error
  }
}

/**
 * Waits for a reply. Measures the timeout in timer ticks, so that a process that was busy or
 * suspended can still read a reply that has arrived.
 *
 * @throws {SandboxError} on timeout
 */
async function waitInTime<Reply>(reply: Promise<Reply>): Promise<Reply> {
  let timer: ReturnType<typeof setInterval> | undefined
  let ticks = 0
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      ticks += 1
      if (ticks === maxTicks) reject(new SandboxError(`Redis did not reply within ${commandMs} ms`))
    }, commandMs / maxTicks)
  })
  try {
    return await Promise.race([reply, late])
  } finally {
    clearInterval(timer)
  }
}

/**
 * Validates the URL and returns it without credentials.
 *
 * @throws {SandboxError}
 */
export function parseRedisAddress(text: string): string {
  const url = URL.parse(text)
  const refuse = (why: string) => {
    throw new SandboxError(`Failed to read --state (${url?.protocol ?? ''}//…): ${why}.`)
  }
  if (url === null || url.hostname === '')
    return refuse('it must be an address such as redis://127.0.0.1:6379/0')
  if (url.password !== '')
    return refuse(
      'it holds a password, which other users of the machine can read. Put the password in a ' +
        'variable, and name that with --state-password-env',
    )
  if (!/^\/?\d*$/.test(url.pathname))
    return refuse(`${url.pathname} must be a database number, such as /0`)
  return `${url.protocol}//${url.host}${url.pathname}`
}

/**
 * Loads the client, which is an optional dependency.
 *
 * @throws {SandboxError} if it is not installed
 */
async function loadClient(): Promise<(options: object) => Client> {
  try {
    const { createClient } = await import('redis')
    return createClient as unknown as (options: object) => Client
  } catch (error) {
    if (!isMissingPackage(error)) throw error
    throw new SandboxError(
      'Failed to store the state in Redis: the package redis is not installed. Install it: npm ' +
        'install redis@6.',
      { cause: error },
    )
  }
}

/** Describes a client error. */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeRedisError).join(', ')
  const { message } = error as Error
  // The client's own timeout error has no message.
  if (message === '') return 'Redis did not reply'
  if (/NOAUTH|WRONGPASS|invalid username-password/.test(message))
    return `Redis refused the password (${message})`
  return /client is (offline|closed)/i.test(message) ? 'Redis cannot be reached' : message
}
