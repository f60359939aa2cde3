import { sentKey } from '../engine/pipeline/admit.ts'
import type { Call } from '../engine/route.ts'
import { SandboxError } from '../errors.ts'
import { worldOfLink } from '../resources/media/media-links.ts'
import type { Tables } from '../world/tables.ts'

/** How many worlds stand beside the first at once. */
const mostWorlds = 256

/** The isolated worlds beside the first one: an API key, a media link or an upload address selects the one that it belongs to. */
export class Worlds<Member extends { readonly db: Tables }> {
  readonly #members = new Map<string, Member>()
  #lastId = 0

  get size(): number {
    return this.#members.size
  }

  /** Adds a world under a new id. @throws {SandboxError} when there are 256. */
  add(make: (id: string) => Member): { id: string; member: Member } {
    if (this.#members.size >= mostWorlds) throw new SandboxError(`Failed to make a world: there are ${mostWorlds}. Remove those that are done with.`)
    this.#lastId += 1
    const id = `w${this.#lastId}`
    const member = make(id)
    this.#members.set(id, member)
    return { id, member }
  }

  get(id: string): Member | undefined {
    return this.#members.get(id)
  }

  /** All of them, oldest first. */
  list(): { id: string; member: Member }[] {
    return [...this.#members].map(([id, member]) => ({ id, member }))
  }

  /** Forgets a world and returns it; undefined when there is none of that id. */
  remove(id: string): Member | undefined {
    const member = this.#members.get(id)
    this.#members.delete(id)
    return member
  }

  /** The world that a call's key, media link, upload address or share belongs to; undefined when it is none of these. */
  select(call: Call): Member | undefined {
    const query = /^\/media-proxy\?(.*)$/s.exec(call.url)?.[1]
    if (query !== undefined) return this.#members.get(worldOfLink(query) ?? '')
    const uploading = /^\/upload\/(\w+)\//.exec(call.url)?.[1]
    if (uploading !== undefined) return this.#members.get(uploading)
    const token = /^\/share\/([\w-]+)/.exec(call.url)?.[1]
    if (token !== undefined) return [...this.#members.values()].find(({ db }) => db.linkShares.get(token) !== undefined)
    const key = sentKey(call)
    if (key === null) return undefined
    for (const member of this.#members.values()) if (member.db.apiKeys.in('byKey', key).size > 0) return member
    return undefined
  }
}
