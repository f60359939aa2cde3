import { definePersistedService } from '../../world/service.ts'
import type { PersistedService } from '../../world/service.ts'
import { isSameSecret } from '../../lib/secret.ts'
import { minuteMs } from '../../lib/time.ts'
import { apiError } from '../../errors.ts'
import type { MediaVariantName } from '../../generated/media-manifest.ts'
import type { World } from '../world.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { mediaLinkState } from './schemas.ts'
import { linkLifetimeSeconds, signatures } from './signatures.ts'
import type { MediaFiles } from './signatures.ts'

/** The file that a valid media link opens. */
export interface OpenedLink {
  media: VaultMedia
  variant: MediaVariantName
}

/** The state of the media links, as JSON in a snapshot. */
export interface MediaLinkState {
  /** When the links that the vault route handed out expire: epoch seconds by media id. */
  windows: [number, number][]
  /** The loads of each account, by its id. */
  loads: [number, { minute: number; count: number; seen: [string, number][] }][]
}

/** The files that one account has loaded. */
interface Loads {
  /** The minute of `count`, epoch ms. */
  minute: number
  /** How many new files were loaded in it. */
  count: number
  /** When each file was last shown, epoch ms. */
  seen: Map<string, number>
}

/** How many new files an account may load in a minute. */
export const loadsPerMinute = 300

/** A file that was loaded within this time does not count as new. */
const freeReloadMs = 3_600_000
const variants = [
  'full',
  'thumb',
  'preview',
  'squarePreview',
] as const satisfies readonly MediaVariantName[]

/**
 * The links that the vault route handed out, the opening of links, and the count of the files that
 * each account loads.
 */
class MediaLinks {
  readonly #world: World
  /** When the links of the vault route expire: epoch seconds by media id. */
  #windows = new Map<number, number>()
  #loads = new Map<number, Loads>()

  constructor(world: World) {
    this.#world = world
  }

  /**
   * The links that the vault route hands out: the same ones until they expire, or new ones with
   * `refresh`.
   */
  window(media: VaultMedia, refresh: boolean): MediaFiles {
    const seconds = Math.floor(this.#world.clock.now() / 1000)
    const known = this.#windows.get(media.id)
    const isValid = known !== undefined && known > seconds
    const expires = isValid && !refresh ? known : seconds + linkLifetimeSeconds
    this.#windows.set(media.id, expires)
    return this.#world.service(signatures).filesUntil(media, expires)
  }

  /**
   * Checks the raw query string of a link and finds its file.
   * @throws {ApiError} media_link_invalid, media_link_expired, media_account_gone, media_gone
   */
  open(query: string): OpenedLink {
    const parameters = new URLSearchParams(query)
    const url = parameters.get('url') ?? ''
    const exp = parameters.get('exp') ?? ''
    const named = parseUpstreamUrl(url)
    // Comparing with the whole rebuilt query finds every change of a character and every added
    // parameter.
    if (
      named === undefined ||
      named.world !== this.#world.id ||
      !isSameSecret(query, this.#world.service(signatures).query(url, exp, named.accountId))
    )
      throw apiError('media_link_invalid')
    if (Number(exp) * 1000 <= this.#world.clock.now()) throw apiError('media_link_expired')
    if (this.#world.db.accounts.get(named.accountId)?.connected !== true)
      throw apiError('media_account_gone')
    const media = this.#world.db.vaultMedia.get(named.mediaId)
    if (media?.accountId !== named.accountId) throw apiError('media_gone')
    return { media, variant: named.variant }
  }

  /**
   * Counts the load of a file. A file that was loaded within the last hour is not new, and may be
   * loaded for another hour.
   * @throws {ApiError} media_load_limit on the 301st new file of a minute.
   */
  load({ media, variant }: OpenedLink): void {
    const now = this.#world.clock.now()
    const loads = this.#loadsOf(media.accountId, now)
    const file = `${media.id}/${variant}`
    const seenAt = loads.seen.get(file)
    if (seenAt === undefined || now - seenAt >= freeReloadMs) {
      if (loads.count >= loadsPerMinute)
        throw apiError('media_load_limit', { limit: loadsPerMinute })
      loads.count += 1
    }
    loads.seen.set(file, now)
  }

  /** The state, as JSON for a snapshot. */
  state(): MediaLinkState {
    return {
      windows: [...this.#windows],
      loads: [...this.#loads].map(([account, { minute, count, seen }]) => [
        account,
        { minute, count, seen: [...seen] },
      ]),
    }
  }

  /** Restores the state of a snapshot. */
  restore({ windows, loads }: MediaLinkState): void {
    this.#windows = new Map(windows)
    this.#loads = new Map(
      loads.map(([account, { minute, count, seen }]) => [
        account,
        { minute, count, seen: new Map(seen) },
      ]),
    )
  }

  #loadsOf(accountId: number, now: number): Loads {
    const minute = Math.floor(now / minuteMs) * minuteMs
    let loads = this.#loads.get(accountId)
    if (loads === undefined) {
      loads = { minute, count: 0, seen: new Map() }
      this.#loads.set(accountId, loads)
    }
    if (loads.minute !== minute) {
      loads.minute = minute
      loads.count = 0
      for (const [file, seenAt] of loads.seen)
        if (now - seenAt >= freeReloadMs) loads.seen.delete(file)
    }
    return loads
  }
}

const mediaLinks = definePersistedService({
  name: 'mediaLinks',
  schema: mediaLinkState,
  create: (world: World) => new MediaLinks(world),
})

/** The parts of a world that a snapshot has to hold. */
export const mediaServices: readonly PersistedService[] = [mediaLinks]

/** The media links of a world. */
export function mediaLinksOf(world: World): MediaLinks {
  return world.service(mediaLinks)
}

function parseUpstreamUrl(
  url: string,
): { world: string; accountId: number; mediaId: number; variant: MediaVariantName } | undefined {
  const match = /^https:\/\/cdn\.platform\.example\/([\w-]+)\/(\d+)\/(\d+)\/(\w+)\.\w+$/.exec(url)
  const variant = variants.find((name) => name === match?.[4])
  if (match === null || variant === undefined) return undefined
  return { world: match[1] ?? '', accountId: Number(match[2]), mediaId: Number(match[3]), variant }
}

/**
 * The id of the world that a media link belongs to; undefined when it is not a link of a sandbox.
 */
export function worldOfLink(query: string): string | undefined {
  return parseUpstreamUrl(new URLSearchParams(query).get('url') ?? '')?.world
}
