import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'
import { mainId, toWorldName } from '../world/world-name.ts'
import { leaseMs, LeaseTakenError } from '../sandbox/state/leases.ts'
import type { LeaseStore, AcquireResult } from '../sandbox/state/leases.ts'
import type { StoredItem, WorldStore } from '../sandbox/state/world-store.ts'
import { describeRedisError, parseRedisAddress, RedisConnection } from './redis-connection.ts'
import type { Argument } from './redis-connection.ts'
import {
  beginScript,
  releaseScript,
  removeScript,
  renewScript,
  saveScript,
  takeScript,
} from './redis-scripts.ts'

/** Time during which no new leases are granted after Redis restarted or lost its data, ms. */
const graceMs = 10_000
/** Time allowed for a server to create the base rows in a new store, ms. */
const makingMs = 30_000
/** Time allowed for servers to reconnect after Redis becomes available again, s. */
const settledSeconds = 3
/** Age at which leases of terminated servers are removed, ms. */
const oldLeaseMs = 24 * 3_600_000
const pollMs = 250
/**
 * Margin before Redis itself removes expired worlds, ms. Normally a running server removes them
 * earlier.
 */
const expiryMarginMs = 120_000
/** Number of keys that Redis scans per listing step. */
const scanCount = '1000'
/** Redis protocol type of binary replies. */
const blobString = 36
/** Marker item. It exists if the store contains the rows of the main world's base snapshot. */
const firstItem = 'store'

/** Connection and settings of the store. */
export interface RedisOptions {
  /** `redis://HOST:PORT/DB`, or `rediss://…` for TLS. */
  url: string
  password: string | undefined
  /** Prefix of all keys. */
  prefix: string
  worldTtlMs: number | undefined
  log: (message: string) => void
}

/**
 * Connects to Redis or Valkey. Resolves when the store contains the main world's base rows, or when
 * this server has to create them.
 *
 * @throws {SandboxError} if the store cannot be used
 */
export async function openRedisStore(options: RedisOptions): Promise<RedisStore> {
  const { url, password, log } = options
  let connection: RedisConnection | undefined
  try {
    connection = await RedisConnection.open(url, password)
    const store = new RedisStore(connection, options)
    await store.warnOfSettings(log)
    await store.begin()
    return store
  } catch (error) {
    connection?.close()
    if (error instanceof SandboxError && error.message.startsWith('Failed')) throw error
    throw new SandboxError(
      `Failed to store the state in ${parseRedisAddress(url)}: ${describeRedisError(error)}. Start Redis or Valkey ` +
        `there, check --state and --state-password-env, or give another --state.`,
      { cause: error },
    )
  }
}

/**
 * Stores each item under a key in Redis or Valkey. Servers that share the store take a lease on
 * each world.
 */
export class RedisStore implements WorldStore, LeaseStore {
  readonly leases: LeaseStore = this
  readonly place: string
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #worldTtlMs: number | undefined
  readonly #server = `${hostname()} (process ${process.pid})`
  /** Tokens of this server's leases, by world id. */
  readonly #tokens = new Map<string, string>()
  /** Id of the data set in Redis for which this server holds leases. */
  #storeId = ''
  hasOthers = false
  onLeaseRequested: (id: string) => void = () => {}

  constructor(
    connection: RedisConnection,
    { prefix, worldTtlMs }: Pick<RedisOptions, 'prefix' | 'worldTtlMs'>,
  ) {
    this.#connection = connection
    this.place = connection.place
    this.#prefix = prefix
    this.#worldTtlMs = worldTtlMs
  }

  /**
   * Waits until the store contains its first item, or until this server has the lease for creating
   * the item.
   */
  async begin(): Promise<void> {
    while (
      (await this.#eval(beginScript, { args: [String(settledSeconds), String(oldLeaseMs)] })) !== 1
    )
      await wait(pollMs)
    const [, count] = (await this.#connection.send([
      'PUBSUB',
      'NUMSUB',
      this.#channel,
    ])) as unknown[]
    this.hasOthers = Number(count) > 0
    await this.#connection.subscribe(this.#channel, (id) => this.onLeaseRequested(id))
    const deadline = performance.now() + makingMs + graceMs
    while ((await this.load(firstItem)) === undefined) {
      const { isTaken, holder } = await this.#take(firstItem, { ms: makingMs, asks: false })
      if (isTaken) return
      if (performance.now() > deadline)
        throw new SandboxError(
          `Failed to store the state in ${this.place} (prefix ${this.#prefix}): the server ` +
            `${holder} is creating it, but has not finished. Check that server, then start this ` +
            'one again.',
        )
      await wait(pollMs)
    }
  }

  /** Warns if the Redis settings can cause stored data to be lost. */
  async warnOfSettings(log: (message: string) => void): Promise<void> {
    const read = async (section: string, field: string) => {
      const info = String(await this.#connection.send(['INFO', section]))
      const line = info.split('\r\n').find((each) => each.startsWith(`${field}:`))
      return line?.slice(field.length + 1)
    }
    if ((await read('persistence', 'aof_enabled')) === '0')
      log(
        `Warning: Redis at ${this.place} has no append-only file. If Redis crashes, more than ` +
          'the last second is lost. Set appendonly yes.',
      )
    const policy = await read('memory', 'maxmemory_policy')
    if (policy !== undefined && policy !== 'noeviction')
      log(
        `Warning: Redis at ${this.place} may remove worlds when its memory is full ` +
          `(maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
      )
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    const typeMapping = { [blobString]: Buffer }
    const bytes = await this.#connection.send(['GET', this.#itemKey(name)], { typeMapping })
    return (bytes as Buffer | null) ?? undefined
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (isWorld(name) && !this.#tokens.has(name)) throw new LeaseTakenError('with the lease')
    if (isWorld(name))
      return this.#evalAsOwner(saveScript, name, [data, String(this.#expiryOf(name) ?? '')])
    // The base rows are the same on all servers, so only the first server writes them.
    const reply = await this.#connection.send(['SET', this.#itemKey(name), data, 'NX'])
    if (name !== firstItem || !this.#tokens.has(firstItem)) return
    await this.release([firstItem])
    if (reply === null)
      throw new SandboxError(
        `Failed to store the state in ${this.place}: another server created it at the same ` +
          'time. Start this server again.',
      )
  }

  async remove(name: string): Promise<void> {
    await this.#evalAsOwner(removeScript, name)
  }

  async touch(name: string): Promise<void> {
    const expiry = this.#expiryOf(name)
    if (expiry !== undefined)
      await this.#connection.send(['PEXPIRE', this.#itemKey(name), String(expiry)])
  }

  async list(): Promise<StoredItem[]> {
    const start = this.#itemKey('')
    const keys = new Set<string>()
    let cursor = '0'
    do {
      const found = await this.#connection.send([
        'SCAN',
        cursor,
        'MATCH',
        `${start}*`,
        'COUNT',
        scanCount,
      ])
      const [next, page] = found as [string, string[]]
      for (const key of page) keys.add(key)
      cursor = String(next)
    } while (cursor !== '0')
    // Reports every item as in use, because Redis itself removes unused worlds.
    return [...keys].map((key) => ({ name: key.slice(start.length), usedAt: Infinity }))
  }

  acquire(id: string, { asks }: { asks: boolean }): Promise<AcquireResult> {
    return this.#take(id, { ms: leaseMs, asks })
  }

  async renew(ids: readonly string[]): Promise<{ lost: string[]; areDataLost: boolean }> {
    const [storeId, lost] = (await this.#eval(renewScript, {
      args: [String(leaseMs), ...this.#withTokens(ids)],
    })) as [string, string[]]
    const areDataLost = this.#storeId !== '' && this.#storeId !== storeId
    this.#storeId = storeId
    return { lost, areDataLost }
  }

  async release(ids: readonly string[]): Promise<void> {
    const args = this.#withTokens(ids)
    for (const id of ids) this.#tokens.delete(id)
    await this.#eval(releaseScript, { args })
  }

  async close(): Promise<void> {
    // Ignores errors, because leases expire by themselves if Redis is unavailable.
    await this.release([...this.#tokens.keys()]).catch(() => {})
    this.#connection.close()
  }

  async #take(id: string, { ms, asks }: { ms: number; asks: boolean }): Promise<AcquireResult> {
    const [token, other] = (await this.#eval(takeScript, {
      name: id,
      args: [id, String(ms), String(graceMs), asks ? '1' : '0'],
    })) as [string, string | number]
    if (token === '') return { isTaken: false, isStored: false, holder: String(other) }
    this.#tokens.set(id, token)
    return { isTaken: true, isStored: other === 1, holder: this.#server }
  }

  #withTokens(ids: readonly string[]): string[] {
    return ids.flatMap((id) => [id, this.#tokens.get(id) ?? ''])
  }

  get #channel(): string {
    return `${this.#prefix}:asked`
  }

  #itemKey(name: string): string {
    return `${this.#prefix}:item:${name}`
  }

  /**
   * Returns the time after which Redis removes an unused item, ms, or undefined for the main world
   * and base rows.
   */
  #expiryOf(name: string): number | undefined {
    if (this.#worldTtlMs === undefined || toWorldName(name) === undefined) return undefined
    return Math.ceil(this.#worldTtlMs + expiryMarginMs)
  }

  async #evalAsOwner(script: string, name: string, args: Argument[] = []): Promise<void> {
    try {
      await this.#eval(script, { name, args: [...this.#withTokens([name]), ...args] })
    } catch (error) {
      const [, holder] = /TAKEN (.*)/.exec(describeRedisError(error)) ?? []
      if (holder === undefined) throw error
      throw new LeaseTakenError(holder, error)
    }
  }

  #eval(
    script: string,
    { name = '', args }: { name?: string; args: Argument[] },
  ): Promise<unknown> {
    const keys = [`${this.#prefix}:store`, `${this.#prefix}:owners`, this.#itemKey(name)]
    const common = [this.#storeId, randomUUID(), this.#server, this.#channel]
    return this.#connection.send(['EVAL', script, '3', ...keys, ...common, ...args])
  }
}

function isWorld(name: string): boolean {
  return name === mainId || toWorldName(name) !== undefined
}
