import { SandboxError, UnavailableError } from '../../errors.ts'
import { toWorldName } from '../../world/world-name.ts'

/** Time without a renewal after which another server may take over a world, ms. */
export const leaseMs = 10_000
const renewMs = 3_000
/**
 * Maximum age of a lease at which its world is still used, ms. Another server may take an older one
 * soon.
 */
const maxAgeMs = 7_000
/**
 * Maximum time to wait for the lease on a world, ms. Longer than the lease of a killed server
 * lasts.
 */
const patienceMs = 12_000
/** Delay between attempts to acquire the lease on a world, ms. */
const pollMs = 50
/** Maximum time to wait for running requests before their world is handed over, ms. */
const drainMs = 1_000
/** Interval between checks of the leases, ms. */
const checkMs = 500

/** The result of an attempt to acquire a lease. */
export interface AcquireResult {
  isTaken: boolean
  /** True if the world is stored. */
  isStored: boolean
  /** The owner. Empty while no leases are granted. */
  holder: string
}

/** The leases in a store that several servers share. */
export interface LeaseStore {
  /** True if other servers used the store when this server started. */
  readonly hasOthers: boolean
  /** Tries to take a lease. With `asks`, asks the current owner to hand the world over. */
  take: (id: string, options: { asks: boolean }) => Promise<AcquireResult>
  /**
   * Renews leases. Returns the leases that other servers hold now, and whether the store lost its
   * data.
   */
  renew: (ids: readonly string[]) => Promise<{ lost: string[]; areDataLost: boolean }>
  release: (ids: readonly string[]) => Promise<void>
  /** Called with the id of a world that another server requests. */
  onAsked: (id: string) => void
}

/** Thrown by a save if another server took the world. */
export class LeaseTakenError extends SandboxError {
  constructor(holder: string, cause?: unknown) {
    super(`the server ${holder} has taken the world`, { cause })
  }
}

/** Operations on worlds that the leases use. */
export interface LeaseHost {
  /** Returns true if a world is in memory, or not saved yet. */
  isUsed: (id: string) => boolean
  /** Called after a lease was taken, before the world is used. */
  onTaken: (id: string, isStored: boolean) => Promise<void> | void
  /** Saves a world and removes it from memory. @throws if the world cannot be saved */
  leave: (id: string) => Promise<void>
  /** Removes from memory a world that another server has taken. */
  onLost: (id: string) => void
  onRenewed: (areDataLost: boolean) => void
  onFailure: (error: unknown) => void
}

/** A request's use of a world. */
export interface Lease {
  /**
   * Call before the response is sent.
   * @throws {UnavailableError} if another server may own the world
   */
  check: () => void
  /** Ends this use. */
  leave: () => void
}

interface HeldLease {
  /** Time when the last successful renewal was sent, ms. */
  sentAt: number
  /** The number of running requests. */
  users: number
  /** Called when no requests are running. */
  onIdle: () => void
  /** Set while the world is being restored, handed over or released. */
  pending: Promise<void> | undefined
  /** True after the world was saved for another server. */
  hasLeft: boolean
}

/** The leases of this server. They determine which worlds it may use, and until when. */
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
    store.onAsked = (id) => this.#handOver(id)
  }

  /** The number of leases. */
  get count(): number {
    return this.#held.size
  }

  has(id: string): boolean {
    return this.#held.has(id)
  }

  /**
   * Takes the lease of a world. If another server owns the world, asks that server for it first.
   * @throws {UnavailableError} if this takes too long
   */
  async own(id: string): Promise<Lease> {
    for (;;) {
      const held = this.#held.get(id)
      // The call that started this operation handles the error.
      if (held?.pending !== undefined) await held.pending.catch(() => {})
      else if (held !== undefined) return this.#enter(id, held)
      else await this.#takeAsked(id)
    }
  }

  /** Takes a lease at startup. Returns false if another server has it. */
  async takeFree(id: string): Promise<boolean> {
    const patience = this.#store.hasOthers ? 0 : patienceMs
    try {
      await this.#take(id, { patience, asks: false })
      return true
    } catch (error) {
      if (error instanceof UnavailableError) return false
      throw error
    }
  }

  /** Gives up a world that another server owns. */
  lose(id: string): void {
    this.#held.delete(id)
    this.#host.onLost(id)
  }

  /** Stops the renewals. */
  close(): void {
    clearInterval(this.#timer)
    this.#store.onAsked = () => {}
  }

  #enter(id: string, held: HeldLease): Lease {
    this.#requireFresh(id, held)
    held.users += 1
    return {
      check: () => this.#requireFresh(id, held),
      leave: () => {
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

  async #takeAsked(id: string): Promise<void> {
    try {
      await this.#take(id, { patience: patienceMs, asks: true })
    } catch (error) {
      throw error instanceof UnavailableError
        ? error
        : createUnavailableError(id, (error as Error).message)
    }
  }

  async #take(id: string, how: { patience: number; asks: boolean }): Promise<void> {
    const taking = this.#taking.get(id) ?? this.#takeNow(id, how)
    this.#taking.set(id, taking)
    try {
      await taking
    } finally {
      this.#taking.delete(id)
    }
  }

  async #takeNow(
    id: string,
    { patience, asks }: { patience: number; asks: boolean },
  ): Promise<void> {
    const deadline = this.#now() + patience
    for (;;) {
      const sentAt = this.#now()
      const { isTaken, isStored, holder } = await this.#store.take(id, { asks })
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
      held.pending = Promise.resolve(this.#host.onTaken(id, isStored))
      await held.pending
    } catch (error) {
      if (this.#held.get(id) === held) this.#held.delete(id)
      await this.#store.release([id]).catch((failure: unknown) => this.#host.onFailure(failure))
      throw error
    } finally {
      held.pending = undefined
    }
  }

  /** Hands a world over to another server that asked for it. */
  #handOver(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined || held.pending !== undefined) return
    // The world is still being restored for a request. The other server will ask again.
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
    // Changes by requests that are still running would not be saved.
    held.hasLeft = true
    try {
      await this.#host.leave(id)
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
        if (lostIds.has(id)) this.lose(id)
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
