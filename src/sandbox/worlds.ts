import type { Log } from '../lib/log.ts'
import { sentKey } from '../api/admit.ts'
import type { Call, Reply, RouteMatcher } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import { splitKey, worldNameOf } from '../world/world-name.ts'
import { apiError, CrowdError, quote, SandboxError } from '../errors.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import type { World } from '../resources/world.ts'
import type { CallHead } from './body-limit.ts'
import type { Shelf } from './shelf.ts'

/** How long a world must be unused before it makes room for another one, minutes of real time. */
const idleMinutes = 5
const minuteMs = 60_000
/** The most names of dropped worlds that are remembered. */
const maxDropped = 10_000

/** An isolated world. */
export interface IsolatedWorld {
  readonly world: World
  readonly worldName: string | undefined
  /** True if it must not leave memory now. */
  readonly isBusy: boolean
  answer: (call: Call) => Promise<Reply>
  close: () => void
}

/** What the isolated worlds of a sandbox are made of. */
export interface WorldsHost<Member extends IsolatedWorld> {
  /**
   * Makes the world of a name from the seeded state. @throws {SandboxError} before the data are
   * there.
   */
  make: (name: string) => Member
  /** Whether so much memory is used that worlds should leave it. */
  isCrowded: () => boolean
  /** Gives a new world what a snapshot says, before anybody else is served. */
  bringBack: (
    member: Member,
    from: { fetch: () => Promise<string | WorldJson>; onBack: () => void },
  ) => void
  match: RouteMatcher['match']
  /** Whether the main world knows a key as it is. */
  isMainKey: (key: string) => boolean
  /** Whether a key is one of the seeded state, so that a world made of it would know it. */
  isSeededKey: (key: string) => boolean
  /** The most worlds. */
  most: number
  /** Real time, ms, that only goes forwards. */
  realTime: () => number
  log: Log
}

/** A world with its use. */
interface Entry<Member> {
  member: Member
  /** When it was last used, real time, ms. */
  usedAt: number
  /** The number of requests that it has not answered yet. */
  underWay: number
  /** What it was when it was made. */
  made: { world: World; lastChange: number }
}

/** True if nothing wrote to a world since it was made. */
function isAsMade({ member: { world }, made }: Entry<IsolatedWorld>): boolean {
  return world === made.world && world.changeLog.last === made.lastChange && world.faults.isEmpty
}

/** Sorts the worlds that may make room: those that nothing wrote to, then the longest unused. */
function byLoss(a: Entry<IsolatedWorld>, b: Entry<IsolatedWorld>): number {
  return Number(isAsMade(b)) - Number(isAsMade(a)) || a.usedAt - b.usedAt
}

/**
 * The isolated worlds beside the main one, by name. The API key, media link, upload address or
 * share of a request selects its world.
 */
export class Worlds<Member extends IsolatedWorld> {
  readonly #host: WorldsHost<Member>
  readonly #entries = new Map<string, Entry<Member>>()
  /** What the next world of a name that was dropped has to say. */
  readonly #dropped = new Map<string, string>()
  #lastNumber = 0
  #droppedCount = 0
  #shelvedCount = 0
  /** Where worlds go that leave memory; undefined where they are dropped. */
  shelf: Shelf<Member> | undefined

  constructor(host: WorldsHost<Member>) {
    this.#host = host
  }

  /**
   * How many there are, how many there may be, and how many were dropped to make room for others.
   */
  get count(): { open: number; most: number; dropped: number } {
    return { open: this.#entries.size, most: this.#host.most, dropped: this.#droppedCount }
  }

  /** How many left memory for the shelf so far. */
  get shelvedCount(): number {
    return this.#shelvedCount
  }

  /**
   * Makes a world of that name, or of the next free one: `w1`, `w2`, ….
   * @throws {SandboxError} when the name is taken. @throws {CrowdError} when there is no room.
   */
  create(name: string = this.#nextName()): Member {
    if (this.has(name))
      throw new SandboxError(
        `Failed to make the world ${quote(name)}: there is one of that name. Reset it, remove ` +
          `it first, or give another name.`,
      )
    return this.#make(name)
  }

  /**
   * The world of that name. It is made when it is not there. @throws {CrowdError} when there is no
   * room.
   */
  open(name: string): Member {
    return this.#entries.get(name)?.member ?? this.#make(name)
  }

  /** True if there is a world of that name, in memory or on the shelf. */
  has(name: string): boolean {
    return this.#entries.has(name) || this.#isShelved(name)
  }

  /** All worlds, oldest first. */
  list(): { name: string; member: Member }[] {
    return [...this.#entries].map(([name, { member }]) => ({ name, member }))
  }

  /** Forgets a world and returns it; undefined when there is none of that name. */
  remove(name: string): Member | undefined {
    const entry = this.#entries.get(name)
    this.#entries.delete(name)
    return entry?.member
  }

  /** Forgets a world for good, wherever it is. Returns whether it was on the shelf. */
  forget(name: string): boolean {
    return this.shelf?.remove(name) ?? false
  }

  /** Remembers that a world is used now. */
  touch(name: string): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    entry.usedAt = this.#host.realTime()
    this.shelf?.touch(name)
  }

  /** Answers a request to a world, which is in use until then. */
  async answer(member: Member, call: Call): Promise<Reply> {
    const { worldName = '' } = member
    const entry = this.#entries.get(worldName)
    if (entry === undefined) return member.answer(call)
    entry.underWay += 1
    try {
      return await member.answer(call)
    } finally {
      entry.underWay -= 1
      entry.usedAt = this.#host.realTime()
      this.shelf?.touch(worldName)
      if (this.#host.isCrowded()) this.#putUnused()
    }
  }

  /**
   * Finds the world of a call by its key, media link, upload address or share; undefined for a call
   * to the main world. `<key>~<name>` makes the world where it is not there. @throws {ApiError}
   * worlds_full; {MemoryLimitError}
   */
  select(call: CallHead): Member | undefined {
    const sent = sentKey(call)
    const named = sent === null ? undefined : splitKey(sent)
    if (named === undefined && this.#entries.size === 0 && this.shelf === undefined)
      return undefined
    const { path, rawQuery } = splitUrl(call.url)
    const { route, params } = this.#host.match(call.method, path)
    const id = route?.worldId?.({ params, rawQuery })
    if (id !== undefined) return this.#get(worldNameOf(id))
    if (route?.isOfWorld !== undefined)
      return this.#find((world) => route.isOfWorld?.(world, { params, rawQuery }) === true)
    if (
      route?.worldId !== undefined ||
      sent === null ||
      named === undefined ||
      this.#host.isMainKey(sent)
    )
      return undefined
    const known = this.#get(named.name)
    if (known !== undefined || route?.gate === 'none' || !this.#host.isSeededKey(named.key))
      return known
    return this.#addForCall(named.name)
  }

  /** The world of a name that exists: in memory, or on the shelf, from where it comes back. */
  #get(name: string | undefined): Member | undefined {
    if (name === undefined) return undefined
    return (
      this.#entries.get(name)?.member ??
      (this.#isShelved(name) ? this.#addForCall(name) : undefined)
    )
  }

  #addForCall(name: string): Member {
    if (!this.#hasRoom()) throw apiError('worlds_full', { limit: this.#host.most })
    return this.#add(name)
  }

  #isShelved(name: string): boolean {
    return this.shelf?.has(name) === true
  }

  #find(isMeant: (world: World) => boolean): Member | undefined {
    for (const { member } of this.#entries.values()) if (isMeant(member.world)) return member
    return undefined
  }

  #make(name: string): Member {
    if (!this.#hasRoom())
      throw new CrowdError(
        `Failed to make the world ${quote(name)}: ` +
          `${apiError('worlds_full', { limit: this.#host.most }).message}`,
      )
    return this.#add(name)
  }

  #add(name: string): Member {
    const { make, realTime } = this.#host
    const member = make(name)
    const made = { world: member.world, lastChange: member.world.changeLog.last }
    this.#entries.set(name, { member, usedAt: realTime(), underWay: 0, made })
    const { shelf } = this
    if (shelf?.has(name) === true) {
      this.#host.bringBack(member, {
        fetch: () => shelf.fetch(name),
        onBack: () => shelf.keep(name, member, true),
      })
      member.world.journal.noteNext(
        `The world ${name} came back from the folder of --state. Its journal began anew.`,
      )
    } else shelf?.keep(name, member, false)
    const note = this.#dropped.get(name)
    if (note !== undefined) member.world.journal.noteNext(note)
    this.#dropped.delete(name)
    return member
  }

  /** Whether one more world can be made. It may drop one that is unused. */
  #hasRoom(): boolean {
    if (this.shelf !== undefined) {
      if (this.#host.isCrowded()) this.#putUnused()
      return this.#entries.size < this.#host.most || this.#putUnused()
    }
    if (this.#entries.size < this.#host.most) return true
    const now = this.#host.realTime()
    const idle = [...this.#entries].filter(
      ([, { usedAt, underWay }]) => underWay === 0 && now - usedAt >= idleMinutes * minuteMs,
    )
    const [first] = idle.toSorted(([, a], [, b]) => byLoss(a, b))
    if (first === undefined) return false
    const [name, entry] = first
    this.#drop(name, entry, Math.floor((now - entry.usedAt) / minuteMs))
    return true
  }

  /** Puts a world that is not in use on the shelf. Returns whether there was one. */
  #putUnused(): boolean {
    if (this.shelf === undefined || this.shelf.isBehind) return false
    let first: { name: string; entry: Entry<Member> } | undefined
    for (const [name, entry] of this.#entries) {
      if (entry.underWay > 0 || entry.member.isBusy) continue
      if (first === undefined || byLoss(entry, first.entry) < 0) first = { name, entry }
    }
    if (first === undefined) return false
    this.shelf.put(first.name, first.entry.member)
    this.#entries.delete(first.name)
    this.#shelvedCount += 1
    first.entry.member.close()
    return true
  }

  #drop(name: string, entry: Entry<Member>, minutes: number): void {
    const why =
      `The world ${name} was dropped to make room for another one: it was unused for ` +
      `${minutes} minutes`
    const loss = isAsMade(entry) ? '' : ' What was written to it is lost: --state FOLDER/ keeps it.'
    this.#host.log(`Warning: ${why}, and there may be ${this.#host.most} worlds.${loss}`, 'note')
    if (this.#dropped.size >= maxDropped)
      this.#dropped.delete(this.#dropped.keys().next().value ?? '')
    this.#dropped.set(name, `${why}. This is a new one of that name, in the seeded state.`)
    this.#droppedCount += 1
    this.remove(name)?.close()
  }

  #nextName(): string {
    do this.#lastNumber += 1
    while (this.has(`w${this.#lastNumber}`))
    return `w${this.#lastNumber}`
  }
}

/** Whether the key of a call names an isolated world. */
export function namesWorld(call: CallHead): boolean {
  const sent = sentKey(call)
  return sent !== null && splitKey(sent) !== undefined
}
