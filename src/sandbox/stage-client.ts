import type { Call, Reply } from '../api/route.ts'
import type { ControlHost, StoryClientState } from '../control/control-host.ts'
import { parseDuration } from '../lib/time.ts'
import type { World } from '../resources/world.ts'
import type { StoryClient } from '../scenario/story-client.ts'
import { runToEnd } from '../world/work.ts'
import { createFetch } from './fetch.ts'
import type { Fetch } from './fetch.ts'

/** Number of outcomes that are kept for the stage. */
const maxOutcomes = 60
/** Longest time until a failed read is sent again, in turns of the client. */
const maxPause = 8

/** A copy of the world, which only this client uses. */
interface StageWorld extends Pick<ControlHost, 'active' | 'player' | 'world'> {
  readonly queue: { handle: (call: Call) => Promise<Reply> }
  close: () => void
}

type Read = StoryClientState['reads'][number] &
  StoryClient['reads'][number] & { dueMs: number; link: string | undefined }

/**
 * A client that lives through a story, for the audience of the stage. It runs in a copy of the
 * world from the start of the story, so the journal, limits, credits and audit of the world stay as
 * they are. What it experiences depends only on the position of the story.
 */
export class StageClient {
  /** The world that was copied. */
  readonly origin: World
  readonly #copy: StageWorld
  readonly #fetch: Fetch
  readonly #key: string
  readonly #everyMs: number
  readonly #reads: Read[]
  #nextMs = 0
  #counts = { sent: 0, failed: 0, recovered: 0 }
  #outcomes: StoryClientState['outcomes'] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(origin: World, copy: StageWorld, { key, every, reads }: StoryClient) {
    this.origin = origin
    copy.player.stop()
    this.#copy = copy
    this.#key = copy.active.keys[key] ?? ''
    this.#everyMs = Math.max(1, parseDuration(every) ?? 0)
    this.#reads = reads.map((read, index) => ({
      ...read,
      status: null,
      failures: 0,
      dueMs: index * this.#everyMs,
      link: undefined,
    }))
    this.#fetch = createFetch({
      baseUrl: copy.world.baseUrl,
      handle: async (call) => copy.queue.handle(await call),
    })
  }

  /** True if the client has already lived past a story time, ms. */
  isAfter(atMs: number): boolean {
    return this.#nextMs - this.#everyMs > atMs
  }

  /** Sends the requests that are due until a story time, ms. */
  advance(atMs: number): Promise<StoryClientState> {
    const state = this.#last.then(() => this.#advance(atMs))
    this.#last = state.catch(() => {})
    return state
  }

  /** Releases the copy after the last request. */
  close(): void {
    void this.#last.finally(() => this.#copy.close())
  }

  async #advance(atMs: number): Promise<StoryClientState> {
    for (; this.#nextMs <= atMs; this.#nextMs += this.#everyMs) {
      const now = this.#nextMs
      const [read] = this.#reads
        .filter(({ dueMs }) => dueMs <= now)
        .toSorted((a, b) => a.dueMs - b.dueMs)
      if (read === undefined) continue
      const { player } = this.#copy
      if (now > player.at()) runToEnd(player.playAtOnce(`${now}ms`))
      this.#note(read, now, await this.#send(read))
    }
    return {
      ...this.#counts,
      reads: this.#reads.map(({ name, status, failures }) => ({ name, status, failures })),
      outcomes: [...this.#outcomes],
    }
  }

  async #send(read: Read): Promise<number> {
    if (!read.opens) return (await this.#get(read.path)).status
    if (read.link === undefined) {
      const { status, text } = await this.#get(read.path)
      if (status >= 400) return status
      read.link = /\/media-proxy\?[^"]+/.exec(text)?.[0]
    }
    const { status } = await this.#get(read.link ?? read.path)
    // A link that has expired is replaced at the next attempt.
    if (status === 403) read.link = undefined
    return status
  }

  async #get(path: string): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${this.#key}` }
    const response = await this.#fetch(`${this.#copy.world.baseUrl}${path}`, { headers })
    return { status: response.status, text: await response.text() }
  }

  #note(read: Read, at: number, status: number): void {
    const isFailed = status >= 400
    this.#counts = {
      sent: this.#counts.sent + 1,
      failed: this.#counts.failed + Number(isFailed),
      recovered: this.#counts.recovered + Number(!isFailed && read.failures > 0),
    }
    read.status = status
    read.failures = isFailed ? read.failures + 1 : 0
    const pause = isFailed ? Math.min(maxPause, 2 ** read.failures) : this.#reads.length
    read.dueMs = at + pause * this.#everyMs
    this.#outcomes = [...this.#outcomes, { at_ms: at, name: read.name, status }].slice(-maxOutcomes)
  }
}
