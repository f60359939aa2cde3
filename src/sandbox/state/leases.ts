import { SandboxError, UnavailableError } from '../../errors.ts'
import { toWorldName } from '../../world/world-name.ts'

/** Time since a lease's last renewal after which another server may take over the world, ms. */
export const leaseMs = 10_000
const renewMs = 3_000
/**
 * Maximum age of a lease with which this server may still use the world, ms. If the lease is older,
 * another server may soon take over the world.
 */
const maxAgeMs = 7_000
/**
 * Maximum time to wait for a world's lease, ms. By then, the lease of a killed server has expired.
 */
const patienceMs = 12_000
/** Delay between attempts to acquire the lease on a world, ms. */
const pollMs = 50
/** Maximum time to wait for running requests before handing over their world, ms. */
const drainMs = 1_000
/** Interval between lease checks, ms. */
const checkMs = 500

/** Result of an attempt to acquire a lease. */
export interface AcquireResult {
  isTaken: boolean
  /** True if the world is stored. */
  isStored: boolean
  /** Name of the owner. Empty while the store grants no leases. */
  holder: string
}

/** Leases in a store that several servers share. */
export interface LeaseStore {
  /** True if other servers were using the store when this server started. */
  readonly hasOthers: boolean
  /**
   * Tries to acquire the lease on a world. With `asks`, asks the current owner to hand over the
   * world.
   */
  acquire: (id: string, options: { asks: boolean }) => Promise<AcquireResult>
  /**
   * Renews leases. Returns the ids of worlds whose leases other servers now hold, and reports if
   * the store has lost its data.
   */
  renew: (ids: readonly string[]) => Promise<{ lost: string[]; areDataLost: boolean }>
  release: (ids: readonly string[]) => Promise<void>
  /** Called with the id of a world that another server requests. */
  onLeaseRequested: (id: string) => void
}

/** Thrown by a save if another server took over the world. */
export class LeaseTakenError extends SandboxError {
  constructor(holder: string, cause?: unknown) {
    super(`the server ${holder} has taken the world`, { cause })
  }
}

/** Operations on worlds that the `Leases` class uses. */
export interface LeaseHost {
  /** True if a world is in memory or not yet saved. */
  isUsed: (id: string) => boolean
  /** Called after a lease is acquired and before the world is used. */
  onAcquired: (id: string, isStored: boolean) => Promise<void> | void
  /**
   * Saves a world and removes it from memory.
   *
   * @throws if the world cannot be saved
   */
  unload: (id: string) => Promise<void>
  /** Removes a world from memory after another server has taken it over. */
  onLost: (id: string) => void
  onRenewed: (areDataLost: boolean) => void
  onFailure: (error: unknown) => void
}

/** A request's permission to use a world. */
export interface Lease {
  /**
   * Must be called before the response is sent.
   *
   * @throws {UnavailableError} if another server may own the world
   */
  check: () => void
  /** Ends the use of the world. */
  release: () => void
}

interface HeldLease {
  /** Time when the last successful renewal was sent, ms. */
  sentAt: number
  /** Number of running requests. */
  users: number
  /** Called when no requests are running. */
  onIdle: () => void
  /** A promise that is pending while the world is being restored, handed over or released. */
  pending: Promise<void> | undefined
  /** True if the world has been saved for handover to another server. */
  hasLeft: boolean
}

/** This server's leases. They determine which worlds the server may use, and until when. */
export class Leases {
  readonly #store: LeaseStore
  readonly #host: LeaseHost
  readonly #now: () => number
  readonly #held = new Map<string, HeldLease>()
  readonly #taking = new Map<string, Promise<void>>()
  readonly #timer: ReturnType<typeof setInterval>
  #lookedAt: number
  #isRenewing = false
  #hasFailed = false

  /** `now` is monotonic real time, ms. */
  constructor(store: LeaseStore, { host, now }: { host: LeaseHost; now: () => number }) {
    this.#store = store
    this.#host = host
    this.#now = now
    this.#lookedAt = now()
    this.#timer = setInterval(() => void this.#look(), checkMs)
    this.#timer.unref?.()
    store.onLeaseRequested = (id) => this.#handOver(id)
  }

  get count(): number {
    return this.#held.size
  }

  has(id: string): boolean {
    return this.#held.has(id)
  }

  /**
   * Acquires the lease for a world. If another server owns the world, asks that server for it
   * first.
   *
   * @throws {UnavailableError} if this takes too long
   */
  async acquire(id: string): Promise<Lease> {
    for (;;) {
      const held = this.#held.get(id)
      // Ignores an error, because the caller that started this operation handles it.
      if (held?.pending !== undefined) await held.pending.catch(() => {})
      else if (held !== undefined) return this.#enter(id, held)
      else await this.#acquireRequested(id)
    }
  }

  /** Acquires a lease at startup. Returns false if another server has it. */
  async acquireIfFree(id: string): Promise<boolean> {
    const patience = this.#store.hasOthers ? 0 : patienceMs
    try {
      await this.#acquire(id, { patience, asks: false })
      return true
    } catch (error) {
      if (error instanceof UnavailableError) return false
      throw error
    }
  }

  /** Removes a world from memory, because another server owns it. */
  giveUp(id: string): void {
    this.#held.delete(id)
    this.#host.onLost(id)
  }

  /** Stops the renewals. */
  close(): void {
    clearInterval(this.#timer)
    this.#store.onLeaseRequested = () => {}
  }

  #enter(id: string, held: HeldLease): Lease {
    this.#requireFresh(id, held)
    held.users += 1
    return {
      check: () => this.#requireFresh(id, held),
      release: () => {
        held.users -= 1
        if (held.users === 0) held.onIdle()
      },
    }
  }

  #requireFresh(id: string, held: HeldLease): void {
    if (held.hasLeft || this.#held.get(id) !== held)
      throw new UnavailableError(
        `Failed to use ${describe(id)}: another server took it over during the request. ` +
          `Send the request again.`,
      )
    const age = this.#now() - held.sentAt
    if (age > maxAgeMs)
      throw new UnavailableError(
        `Failed to use ${describe(id)}: this server has not reached the store for ` +
          `${Math.round(age / 1000)} s, so another server may take over the world. Until the ` +
          'store is available again, this server keeps the world but does not use it. Send ' +
          'the request again later.',
      )
  }

  async #acquireRequested(id: string): Promise<void> {
    try {
      await this.#acquire(id, { patience: patienceMs, asks: true })
    } catch (error) {
      throw error instanceof UnavailableError
        ? error
        : createUnavailableError(id, (error as Error).message)
    }
  }

  async #acquire(id: string, how: { patience: number; asks: boolean }): Promise<void> {
    const taking = this.#taking.get(id) ?? this.#acquireNow(id, how)
    this.#taking.set(id, taking)
    try {
      await taking
    } finally {
      this.#taking.delete(id)
    }
  }

  async #acquireNow(
    id: string,
    { patience, asks }: { patience: number; asks: boolean },
  ): Promise<void> {
    const deadline = this.#now() + patience
    for (;;) {
      const sentAt = this.#now()
      const { isTaken, isStored, holder } = await this.#store.acquire(id, { asks })
      if (isTaken) return this.#begin(id, { sentAt, isStored })
      if (this.#now() >= deadline)
        throw createUnavailableError(
          id,
          holder === ''
            ? 'the store was started again or lost its data, and earlier owners come first'
            : `the server ${holder} has it`,
        )
      await pause(pollMs)
    }
  }

  async #begin(
    id: string,
    { sentAt, isStored }: { sentAt: number; isStored: boolean },
  ): Promise<void> {
    const held = createHeldLease(sentAt)
    this.#held.set(id, held)
    try {
      held.pending = Promise.resolve(this.#host.onAcquired(id, isStored))
      await held.pending
    } catch (error) {
      if (this.#held.get(id) === held) this.#held.delete(id)
      await this.#store.release([id]).catch((failure: unknown) => this.#host.onFailure(failure))
      throw error
    } finally {
      held.pending = undefined
    }
  }

  /** Hands a world over to the server that asked for it. */
  #handOver(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined || held.pending !== undefined) return
    // Ignores the other server's request while the world is being restored, because the other
    // server will ask again.
    if (held.users > 0 && !this.#host.isUsed(id)) return
    held.pending = this.#leave(id, held)
  }

  async #leave(id: string, held: HeldLease): Promise<void> {
    if (held.users > 0)
      await Promise.race([
        new Promise<void>((resolve) => {
          held.onIdle = resolve
        }),
        pause(drainMs),
      ])
    // Prevents running requests from making changes that would not be saved.
    held.hasLeft = true
    try {
      await this.#host.unload(id)
      await this.#store.release([id])
      if (this.#held.get(id) === held) this.#held.delete(id)
    } catch (error) {
      this.#host.onFailure(error)
      if (this.#held.get(id) === held) this.#held.set(id, createHeldLease(held.sentAt))
    }
  }

  async #look(): Promise<void> {
    if (this.#isRenewing || this.#now() - this.#lookedAt < (this.#hasFailed ? 0 : renewMs)) return
    this.#lookedAt = this.#now()
    for (const [id, held] of this.#held)
      if (held.users === 0 && held.pending === undefined && !this.#host.isUsed(id))
        held.pending = this.#leave(id, held)
    this.#isRenewing = true
    await this.#renew()
    this.#isRenewing = false
  }

  async #renew(): Promise<void> {
    const sentAt = this.#now()
    const renewed = [...this.#held]
    try {
      const { lost, areDataLost } = await this.#store.renew(renewed.map(([id]) => id))
      const lostIds = new Set(lost)
      for (const [id, held] of renewed) {
        if (this.#held.get(id) !== held) continue
        if (lostIds.has(id)) this.giveUp(id)
        else held.sentAt = sentAt
      }
      this.#hasFailed = false
      this.#host.onRenewed(areDataLost)
    } catch (error) {
      this.#hasFailed = true
      this.#host.onFailure(error)
    }
  }
}

function createHeldLease(sentAt: number): HeldLease {
  return { sentAt, users: 0, onIdle: () => {}, pending: undefined, hasLeft: false }
}

function describe(id: string): string {
  const name = toWorldName(id)
  return name === undefined ? 'the main world' : `the world ${name}`
}

function createUnavailableError(id: string, why: string): UnavailableError {
  return new UnavailableError(
    `Failed to use ${describe(id)}: ${why.replace(/\.$/, '')}. Send the request again.`,
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
