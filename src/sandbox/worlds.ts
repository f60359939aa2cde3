import { findKey, sentKey } from '../engine/pipeline/admit.ts'
import type { RouteMatcher } from '../engine/route.ts'
import { splitUrl } from '../engine/url.ts'
import { SandboxError } from '../errors.ts'
import type { World } from '../world/world.ts'
import type { CallHead } from './body-limit.ts'

/** The most isolated worlds of a sandbox. */
const mostWorlds = 256

/** The isolated worlds beside the main one. The API key, media link, upload address or share of a request selects its world. */
export class Worlds<Member> {
  readonly #members = new Map<string, Member>()
  readonly #worldOf: (member: Member) => World
  readonly #match: RouteMatcher['match']
  #lastId = 0

  constructor(worldOf: (member: Member) => World, match: RouteMatcher['match']) {
    this.#worldOf = worldOf
    this.#match = match
  }

  get size(): number {
    return this.#members.size
  }

  /** Adds a world under a new id. @throws {SandboxError} when there are 256. */
  add(make: (id: string) => Member): { id: string; member: Member } {
    if (this.#members.size >= mostWorlds)
      throw new SandboxError(`Failed to make a world: there are ${mostWorlds}. Remove those that are done with.`)
    this.#lastId += 1
    const id = `w${this.#lastId}`
    const member = make(id)
    this.#members.set(id, member)
    return { id, member }
  }

  get(id: string): Member | undefined {
    return this.#members.get(id)
  }

  /** All worlds, oldest first. */
  list(): { id: string; member: Member }[] {
    return [...this.#members].map(([id, member]) => ({ id, member }))
  }

  /** Removes a world and returns it; undefined when there is none with this id. */
  remove(id: string): Member | undefined {
    const member = this.#members.get(id)
    this.#members.delete(id)
    return member
  }

  /** Finds the world of a call by its key, media link, upload address or share; undefined for a call to the main world. */
  select(call: CallHead): Member | undefined {
    const { path, rawQuery } = splitUrl(call.url)
    const { route, params } = this.#match(call.method, path)
    if (route?.worldId !== undefined) return this.#members.get(route.worldId({ params, rawQuery }) ?? '')
    if (route?.isOfWorld !== undefined) return this.#find((world) => route.isOfWorld?.(world, { params, rawQuery }) === true)
    const key = sentKey(call)
    if (key === null) return undefined
    return this.#find(({ db }) => findKey(db, key) !== undefined)
  }

  #find(isMeant: (world: World) => boolean): Member | undefined {
    for (const member of this.#members.values()) if (isMeant(this.#worldOf(member))) return member
    return undefined
  }
}
