import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'
import { worldNameOf } from '../world/world-name.ts'
import type { StoredItem, WorldStore } from '../sandbox/world-store.ts'

/** Time without a renewal after which another server may take the store, ms. */
const leaseMs = 10_000
const renewMs = 3_000
/** Maximum time to wait for the lease of a server that was killed, ms. */
const patienceMs = 12_000
const pollMs = 250
/** Maximum time of a command, ms. */
const commandMs = 5_000
/** Pause between two attempts to connect again, ms. */
const reconnectMs = 500
/** The server removes expired worlds first. Redis removes them if no server runs. */
const expiryMarginMs = 120_000
/** Number of keys that Redis looks at in one step of a listing. */
const scanCount = '1000'
/** The type of binary replies in the protocol of Redis. */
const blobString = 36

/** The part of a client of `redis` that the store uses. */
interface Client {
  on: (event: 'error', listener: (error: Error) => void) => unknown
  connect: () => Promise<unknown>
  sendCommand: (args: readonly Argument[], options?: object) => Promise<unknown>
  destroy: () => void
}
type Argument = string | Buffer
type CreateClient = (options: object) => Client

/** Where the store is, and how to use it. */
export interface RedisOptions {
  /** `redis://HOST:PORT/DB`, or `rediss://…` for TLS. */
  url: string
  password: string | undefined
  /** The start of all keys. */
  prefix: string
  worldTtlMs: number | undefined
  log: (message: string) => void
}

/**
 * Grants the lease of the store, with a token that is larger than all earlier ones. The time of
 * Redis makes it larger even if Redis lost its data. KEYS: lease, token. ARGV: server, lease time.
 */
const takeScript = `
local held = redis.call('GET', KEYS[1])
if held then return {'', held} end
local now = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
local token = string.format('%.0f', math.max(last + 1, now[1] * 1000000 + now[2]))
redis.call('SET', KEYS[2], token)
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {token, ''}`

/**
 * Runs a command if no other server has taken the store, and renews the lease. If Redis lost its
 * data, the token is set again. KEYS: lease, token, item. ARGV: server, lease time, token, ….
 */
const guarded = (command: string) => `
local last = redis.call('GET', KEYS[2])
if last and last ~= ARGV[3] then
  return redis.error_reply('TAKEN ' .. (redis.call('GET', KEYS[1]) or 'another server'))
end
redis.call('SET', KEYS[2], ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
${command}`

const renewScript = guarded('return 1')
const releaseScript = guarded(`return redis.call('DEL', KEYS[1])`)
const removeScript = guarded(`return redis.call('DEL', KEYS[3])`)
const saveScript = guarded(`
if ARGV[5] == '' then redis.call('SET', KEYS[3], ARGV[4])
else redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5]) end
return 1`)

/**
 * Connects to Redis or Valkey and takes the store for this process.
 * @throws {SandboxError} if it cannot be used, or another server has it
 */
export async function openRedisStore(options: RedisOptions): Promise<RedisStore> {
  const { url, password, prefix, worldTtlMs, log } = options
  const { place } = readUrl(url)
  const createClient = await loadClient()
  let isOpen = false
  const client = createClient({
    url,
    password,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: commandMs,
      reconnectStrategy: (_: number, cause: Error) => (isOpen ? reconnectMs : cause),
    },
  })
  // Without a listener an error ends the process. The next command reports it.
  client.on('error', () => {})
  const store = new RedisStore(client, { place, prefix, worldTtlMs })
  try {
    await client.connect()
    isOpen = true
    await store.warnOfSettings(log)
    await store.take()
    return store
  } catch (error) {
    if (isOpen) client.destroy()
    if (error instanceof SandboxError) throw error
    throw new SandboxError(
      `Failed to keep the state in ${place}: ${explain(error)}. Start Redis or Valkey there, ` +
        `check --state and --state-password-env, or give another --state.`,
      { cause: error },
    )
  }
}

/** Keeps each item in a key of Redis or Valkey. */
export class RedisStore implements WorldStore {
  readonly place: string
  readonly #client: Client
  readonly #prefix: string
  readonly #worldTtlMs: number | undefined
  readonly #server = `${hostname()} (process ${process.pid})`
  #token = ''
  #timer: ReturnType<typeof setInterval> | undefined
  onFailure: (error: unknown) => void = () => {}

  constructor(
    client: Client,
    options: { place: string; prefix: string; worldTtlMs: number | undefined },
  ) {
    this.#client = client
    this.place = options.place
    this.#prefix = options.prefix
    this.#worldTtlMs = options.worldTtlMs
  }

  /** Takes the store for this process. @throws {SandboxError} if another server has it */
  async take(): Promise<void> {
    const deadline = performance.now() + patienceMs
    for (;;) {
      const [token = '', holder = ''] = (await this.#eval(takeScript, {
        args: [this.#server, String(leaseMs)],
      })) as string[]
      if (token !== '') {
        this.#token = token
        this.#timer = setInterval(() => void this.#renew(), renewMs).unref()
        return
      }
      if (performance.now() > deadline)
        throw new SandboxError(
          `Failed to keep the state in ${this.place} (prefix ${this.#prefix}): the server ` +
            `${holder} uses it. Stop that one, or give another --state-prefix.`,
        )
      await wait(pollMs)
    }
  }

  /** Warns if Redis may forget what it has stored. */
  async warnOfSettings(log: (message: string) => void): Promise<void> {
    const read = async (section: string, field: string) => {
      const info = String(await this.#send(['INFO', section]))
      const line = info.split('\r\n').find((each) => each.startsWith(`${field}:`))
      return line?.slice(field.length + 1)
    }
    if ((await read('persistence', 'aof_enabled')) === '0')
      log(
        `Warning: Redis at ${this.place} has no append-only file, so its crash loses more than ` +
          `the last second. Set appendonly yes.`,
      )
    const policy = await read('memory', 'maxmemory_policy')
    if (policy !== undefined && policy !== 'noeviction')
      log(
        `Warning: Redis at ${this.place} may remove worlds if its memory is full ` +
          `(maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
      )
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    const typeMapping = { [blobString]: Buffer }
    const bytes = await this.#send(['GET', this.#itemKey(name)], { typeMapping })
    return (bytes as Buffer | null) ?? undefined
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    await this.#evalAsOwner(saveScript, name, [
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      String(this.#expiryOf(name) ?? ''),
    ])
  }

  async remove(name: string): Promise<void> {
    await this.#evalAsOwner(removeScript, name)
  }

  async touch(name: string): Promise<void> {
    const expiry = this.#expiryOf(name)
    if (expiry !== undefined) await this.#send(['PEXPIRE', this.#itemKey(name), String(expiry)])
  }

  async list(): Promise<StoredItem[]> {
    const start = this.#itemKey('')
    const keys = new Set<string>()
    let cursor = '0'
    do {
      const found = await this.#send(['SCAN', cursor, 'MATCH', `${start}*`, 'COUNT', scanCount])
      const [next, page] = found as [string, string[]]
      for (const key of page) keys.add(key)
      cursor = String(next)
    } while (cursor !== '0')
    return Promise.all(
      [...keys].map(async (key) => {
        const name = key.slice(start.length)
        return { name, usedAt: await this.#usedAt(name) }
      }),
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    // If Redis is away, or another server has the store, there is nothing to release.
    await this.#evalAsOwner(releaseScript, '').catch(() => {})
    this.#client.destroy()
  }

  /** When an item was used last, which Redis knows from its expiry. Without one: now. */
  async #usedAt(name: string): Promise<number> {
    const now = performance.timeOrigin + performance.now()
    const expiry = this.#expiryOf(name)
    if (expiry === undefined) return now
    const left = Number(await this.#send(['PTTL', this.#itemKey(name)]))
    // A negative number: it was saved without an expiry.
    return left < 0 ? now : now - Math.max(expiry - left, 0)
  }

  async #renew(): Promise<void> {
    try {
      await this.#evalAsOwner(renewScript, '')
    } catch (error) {
      this.onFailure(error)
    }
  }

  #itemKey(name: string): string {
    return `${this.#prefix}:item:${name}`
  }

  /** Time after which Redis removes an unused item, ms. Undefined for the main world and bases. */
  #expiryOf(name: string): number | undefined {
    if (this.#worldTtlMs === undefined || worldNameOf(name) === undefined) return undefined
    return Math.ceil(this.#worldTtlMs + expiryMarginMs)
  }

  async #evalAsOwner(script: string, name: string, args: Argument[] = []): Promise<void> {
    try {
      await this.#eval(script, {
        name,
        args: [this.#server, String(leaseMs), this.#token, ...args],
      })
    } catch (error) {
      const [, holder] = /TAKEN (.*)/.exec(explain(error)) ?? []
      if (holder === undefined) throw error
      throw new SandboxError(`the server ${holder} has taken the store`, { cause: error })
    }
  }

  #eval(
    script: string,
    { name = '', args }: { name?: string; args: Argument[] },
  ): Promise<unknown> {
    const keys = [`${this.#prefix}:lease`, `${this.#prefix}:token`, this.#itemKey(name)]
    return this.#send(['EVAL', script, String(keys.length), ...keys, ...args])
  }

  /** Sends a command. @throws {SandboxError} that says why Redis did not carry it out */
  async #send(args: readonly Argument[], options: object = {}): Promise<unknown> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new SandboxError(`Redis did not answer in ${commandMs} ms`)),
        commandMs,
      )
    })
    try {
      return await Promise.race([this.#client.sendCommand(args, options), late])
    } catch (error) {
      if (error instanceof SandboxError) throw error
      throw new SandboxError(explain(error), { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Checks the address. @throws {SandboxError} */
function readUrl(text: string): { place: string } {
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
    return refuse(`${url.pathname} must be the number of a database, such as /0`)
  return { place: `${url.protocol}//${url.host}${url.pathname}` }
}

/** Loads the client, which is an optional package. @throws {SandboxError} if it is missing */
async function loadClient(): Promise<CreateClient> {
  try {
    const { createClient } = await import('redis')
    return createClient as unknown as CreateClient
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SandboxError(
      'Failed to keep the state in Redis: the package redis is not installed. Install it: npm ' +
        'install redis@6.',
      { cause: error },
    )
  }
}

/** The error of the client in words. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(explain).join(', ')
  const { message } = error as Error
  if (/NOAUTH|WRONGPASS|invalid username-password/.test(message))
    return `Redis refused the password (${message})`
  return /client is (offline|closed)/i.test(message) ? 'Redis cannot be reached' : message
}
