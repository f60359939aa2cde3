import { definePersistedService, defineService } from '../../world/service.ts'
import type { PersistedService } from '../../world/service.ts'
import { isSameSecret } from '../../lib/credentials.ts'
import { minuteMs } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import type { MediaVariantName, MediaAsset } from '../../generated/media-manifest.ts'
import type { World } from '../world.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { mediaLinkState } from './schemas.ts'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { mediaManifest } from '../../generated/media-manifest.ts'

/** The media item and variant to which a valid media link points. */
export interface OpenedLink {
  media: VaultMedia
  variant: MediaVariantName
}

/** The state of the media links in a snapshot, as JSON. */
export interface MediaLinkState {
  /** Expiry times of the links that the vault route returned: epoch seconds by media id. */
  windows: [number, number][]
  /** The media files that each account has loaded, by account id. */
  loads: [number, { minute: number; count: number; seen: [string, number][] }][]
}

/** The media files that an account has loaded. */
interface LoadedFiles {
  /** The minute to which `count` applies, epoch ms. */
  minute: number
  /** Number of new files that were loaded in that minute. */
  count: number
  /** Time of the last load of each file, epoch ms. */
  seen: Map<string, number>
}

/** Maximum number of new files that an account can load per minute. */
export const loadsPerMinute = 300

/** Reloading a file within this time does not count as a new load. */
const freeReloadMs = 3_600_000
const variants = [
  'full',
  'thumb',
  'preview',
  'squarePreview',
] as const satisfies readonly MediaVariantName[]

/**
 * Media links of a world: the expiry times of the vault route's links, link validation, and the
 * rate limit per account.
 */
class MediaLinks {
  readonly #world: World
  /** Expiry times of the vault route's links: epoch seconds by media id. */
  #windows = new Map<number, number>()
  #loads = new Map<number, LoadedFiles>()

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Returns the links for the vault route. The links stay the same until they expire, unless
   * `refresh` is set.
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
    // The query is rebuilt and compared, so that any changed character or added parameter is
    // detected.
    if (
      named === undefined ||
      named.world !== this.#world.id ||
      !isSameSecret(query, this.#world.service(signatures).query(url, exp, named.accountId))
    )
      throw createApiError('media_link_invalid')
    if (Number(exp) * 1000 <= this.#world.clock.now()) throw createApiError('media_link_expired')
    if (this.#world.db.accounts.get(named.accountId)?.connected !== true)
      throw createApiError('media_account_gone')
    const media = this.#world.db.vaultMedia.get(named.mediaId)
    if (media?.accountId !== named.accountId) throw createApiError('media_gone')
    return { media, variant: named.variant }
  }

  /**
   * Counts a load for the rate limit. A file that was loaded within the last hour is not new. Each
   * load restarts this hour.
   * @throws {ApiError} media_load_limit on the 301st new file in a minute
   */
  load({ media, variant }: OpenedLink): void {
    const now = this.#world.clock.now()
    const loads = this.#getLoadedFiles(media.accountId, now)
    const file = `${media.id}/${variant}`
    const seenAt = loads.seen.get(file)
    if (seenAt === undefined || now - seenAt >= freeReloadMs) {
      if (loads.count >= loadsPerMinute)
        throw createApiError('media_load_limit', { limit: loadsPerMinute })
      loads.count += 1
    }
    loads.seen.set(file, now)
  }

  state(): MediaLinkState {
    return {
      windows: [...this.#windows],
      loads: [...this.#loads].map(([account, { minute, count, seen }]) => [
        account,
        { minute, count, seen: [...seen] },
      ]),
    }
  }

  /** Restores the state from a snapshot. */
  restore({ windows, loads }: MediaLinkState): void {
    this.#windows = new Map(windows)
    this.#loads = new Map(
      loads.map(([account, { minute, count, seen }]) => [
        account,
        { minute, count, seen: new Map(seen) },
      ]),
    )
  }

  #getLoadedFiles(accountId: number, now: number): LoadedFiles {
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

/** Services whose state is part of a snapshot. */
export const mediaServices: readonly PersistedService[] = [mediaLinks]

export function getMediaLinks(world: World): MediaLinks {
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

/** Returns the world id of a media link. Undefined if the sandbox did not create the link. */
export function readMediaLinkWorldId(query: string): string | undefined {
  return parseUpstreamUrl(new URLSearchParams(query).get('url') ?? '')?.world
}

/** The four variants of a media file, each with its signed link. */
export type MediaFiles = Readonly<Record<MediaVariantName, { readonly url: string }>>

/** Lifetime of a link, seconds. */
export const linkLifetimeSeconds = 7200

/** Maximum number of media items whose links are cached. */
const cacheSize = 20_000
const assets: ReadonlyMap<string, MediaAsset> = new Map(
  mediaManifest.map((asset) => [asset.name, asset]),
)

/** Signs links to media files. The result depends only on the file and the time. */
class Signatures {
  readonly #world: World
  readonly #hmac
  /** Links by media id. */
  readonly #cache = new Map<
    number,
    { media: VaultMedia; expires: number; baseUrl: string; files: MediaFiles }
  >()

  constructor(world: World) {
    this.#world = world
    this.#hmac = hmac.create(sha256, utf8ToBytes(`media links of seed ${world.options.seed}`))
  }

  /** Returns links to the four variants that expire at the given time, epoch seconds. */
  filesUntil(media: VaultMedia, expires: number): MediaFiles {
    const { baseUrl } = this.#world
    const known = this.#cache.get(media.id)
    if (known?.expires === expires && known.media === media && known.baseUrl === baseUrl)
      return known.files
    const asset = getMediaAsset(media)
    const link = (variant: MediaVariantName) => {
      const extension = asset.variants[variant].file.split('.').pop() ?? ''
      const url = toUpstreamUrl(this.#world.id, media, `${variant}.${extension}`)
      return { url: `${baseUrl}/media-proxy?${this.query(url, String(expires), media.accountId)}` }
    }
    const files = {
      full: link('full'),
      thumb: link('thumb'),
      preview: link('preview'),
      squarePreview: link('squarePreview'),
    }
    if (this.#cache.size >= cacheSize) this.#cache.clear()
    this.#cache.set(media.id, { media, expires, baseUrl, files })
    return files
  }

  /** Returns the query string of a link. */
  query(url: string, exp: string, accountId: number): string {
    const signature = bytesToHex(
      this.#hmac
        .clone()
        .update(utf8ToBytes(`${url}\n${exp}\n${accountId}`))
        .digest(),
    )
    return `url=${encodeURIComponent(url)}&exp=${exp}&sig=${signature}`
  }
}

/** The service that signs a world's media links. */
export const signatures = defineService((world: World) => new Signatures(world))

/**
 * Returns links to the four variants of a media item. The links expire in two hours. Calls within
 * the same second return the same links.
 */
export function signMedia(world: World, media: VaultMedia): MediaFiles {
  return world
    .service(signatures)
    .filesUntil(media, world.clock.stepsSince(0, 1000) + linkLifetimeSeconds)
}

/** Returns the shipped file that is served for a media item. */
export function getMediaAsset(media: VaultMedia): MediaAsset {
  return assets.get(media.asset) ?? (mediaManifest[0] as MediaAsset)
}

const upstreamOrigin = 'https://cdn.platform.example'

function toUpstreamUrl(worldId: string, media: VaultMedia, fileName: string): string {
  return `${upstreamOrigin}/${worldId}/${media.accountId}/${media.id}/${fileName}`
}

/** Returns the renditions of a video. Both sizes use the same file. */
export function toVideoSources({ full }: MediaFiles): { 240: string; 720: string } {
  return { 240: full.url, 720: full.url }
}

export const noVideoSources = { 240: null, 720: null } as const
