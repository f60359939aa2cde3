import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { defineSavedPart } from '../../engine/part.ts'
import type { SavedPart } from '../../engine/part.ts'
import { isSameSecret } from '../../engine/secret.ts'
import { minuteMs } from '../../engine/time.ts'
import { apiError } from '../../errors.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset, MediaVariantName } from '../../generated/media-manifest.ts'
import type { World } from '../../world/world.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { mediaLinkState } from './schemas.ts'

/** The four variants of a media file, each with its signed link. */
export type MediaFiles = Readonly<Record<MediaVariantName, { readonly url: string }>>

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

/** How many seconds a link is valid. */
export const linkLifetimeSeconds = 7200

/** How many new files an account may load in a minute. */
export const loadsPerMinute = 300

/** A file that was loaded within this time does not count as new. */
const freeReloadMs = 3_600_000
/** How many media items the cache of links holds. */
const cacheSize = 20_000
const variants = ['full', 'thumb', 'preview', 'squarePreview'] as const satisfies readonly MediaVariantName[]
const assets: ReadonlyMap<string, MediaAsset> = new Map(mediaManifest.map((asset) => [asset.name, asset]))

/** The signed, expiring links to media files, and the count of the files that each account loads. */
class MediaLinks {
  readonly #world: World
  readonly #hmac
  /** Links by media id. */
  #cache = new Map<number, { expires: number; files: MediaFiles }>()
  #cacheBaseUrl = ''
  #stamp = { seconds: 0, media: {}, baseUrl: '' }
  /** When the links of the vault route expire: epoch seconds by media id. */
  #windows = new Map<number, number>()
  #loads = new Map<number, Loads>()

  constructor(world: World, secret: string) {
    this.#world = world
    this.#hmac = hmac.create(sha256, utf8ToBytes(secret))
  }

  /** Links to the four variants that expire in two hours. Within one second, the links of a file are the same. */
  sign(media: VaultMedia): MediaFiles {
    return this.#filesUntil(media, Math.floor(this.#world.clock.now() / 1000) + linkLifetimeSeconds)
  }

  /**
   * An object that is the same as long as the API shows media the same, links included: within one second, unless the media or the base
   * address change. Caches of answers compare it.
   */
  stamp(): object {
    const seconds = Math.floor(this.#world.clock.now() / 1000)
    const media = this.#world.db.vaultMedia.token
    const { baseUrl } = this.#world
    if (this.#stamp.seconds !== seconds || this.#stamp.media !== media || this.#stamp.baseUrl !== baseUrl)
      this.#stamp = { seconds, media, baseUrl }
    return this.#stamp
  }

  /** The links that the vault route hands out: the same ones until they expire, or new ones with `refresh`. */
  window(media: VaultMedia, refresh: boolean): MediaFiles {
    const seconds = Math.floor(this.#world.clock.now() / 1000)
    const known = this.#windows.get(media.id)
    const isValid = known !== undefined && known > seconds
    const expires = isValid && !refresh ? known : seconds + linkLifetimeSeconds
    this.#windows.set(media.id, expires)
    return this.#filesUntil(media, expires)
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
    // Comparing with the whole rebuilt query finds every change of a character and every added parameter.
    if (named === undefined || named.world !== this.#world.id || !isSameSecret(query, this.#query(url, exp, named.accountId)))
      throw apiError('media_link_invalid')
    if (Number(exp) * 1000 <= this.#world.clock.now()) throw apiError('media_link_expired')
    if (this.#world.db.accounts.get(named.accountId)?.connected !== true) throw apiError('media_account_gone')
    const media = this.#world.db.vaultMedia.get(named.mediaId)
    if (media?.accountId !== named.accountId) throw apiError('media_gone')
    return { media, variant: named.variant }
  }

  /**
   * Counts the load of a file. A file that was loaded within the last hour is not new, and may be loaded for another hour.
   * @throws {ApiError} media_load_limit on the 301st new file of a minute.
   */
  load({ media, variant }: OpenedLink): void {
    const now = this.#world.clock.now()
    const loads = this.#loadsOf(media.accountId, now)
    const file = `${media.id}/${variant}`
    const seenAt = loads.seen.get(file)
    if (seenAt === undefined || now - seenAt >= freeReloadMs) {
      if (loads.count >= loadsPerMinute) throw apiError('media_load_limit', { limit: loadsPerMinute })
      loads.count += 1
    }
    loads.seen.set(file, now)
  }

  /** The state, as JSON for a snapshot. */
  state(): MediaLinkState {
    return {
      windows: [...this.#windows],
      loads: [...this.#loads].map(([account, { minute, count, seen }]) => [account, { minute, count, seen: [...seen] }]),
    }
  }

  /** Restores the state of a snapshot. */
  restore({ windows, loads }: MediaLinkState): void {
    this.#cache.clear()
    this.#windows = new Map(windows)
    this.#loads = new Map(loads.map(([account, { minute, count, seen }]) => [account, { minute, count, seen: new Map(seen) }]))
  }

  #filesUntil(media: VaultMedia, expires: number): MediaFiles {
    if (this.#cacheBaseUrl !== this.#world.baseUrl) {
      this.#cache.clear()
      this.#cacheBaseUrl = this.#world.baseUrl
    }
    const known = this.#cache.get(media.id)
    if (known?.expires === expires) return known.files
    const asset = assetOf(media)
    const link = (variant: MediaVariantName) => {
      const extension = asset.variants[variant].file.split('.').pop() ?? ''
      const url = upstreamUrl(this.#world.id, media, `${variant}.${extension}`)
      return { url: `${this.#world.baseUrl}/media-proxy?${this.#query(url, String(expires), media.accountId)}` }
    }
    const files = { full: link('full'), thumb: link('thumb'), preview: link('preview'), squarePreview: link('squarePreview') }
    if (this.#cache.size >= cacheSize) this.#cache.clear()
    this.#cache.set(media.id, { expires, files })
    return files
  }

  #query(url: string, exp: string, accountId: number): string {
    const signature = bytesToHex(
      this.#hmac
        .clone()
        .update(utf8ToBytes(`${url}\n${exp}\n${accountId}`))
        .digest(),
    )
    return `url=${encodeURIComponent(url)}&exp=${exp}&sig=${signature}`
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
      for (const [file, seenAt] of loads.seen) if (now - seenAt >= freeReloadMs) loads.seen.delete(file)
    }
    return loads
  }
}

const mediaLinks = defineSavedPart({
  name: 'mediaLinks',
  schema: mediaLinkState,
  create: (world: World) => new MediaLinks(world, `media links of seed ${world.options.seed}`),
})

/** The parts of a world that a snapshot has to hold. */
export const mediaParts: readonly SavedPart[] = [mediaLinks]

/** The media links of a world. */
export function mediaLinksOf(world: World): MediaLinks {
  return world.part(mediaLinks)
}

/** The file of this package that stands for a media item. */
export function assetOf(media: VaultMedia): MediaAsset {
  return assets.get(media.asset) ?? (mediaManifest[0] as MediaAsset)
}

const upstreamOrigin = 'https://cdn.platform.example'

function upstreamUrl(worldId: string, media: VaultMedia, fileName: string): string {
  return `${upstreamOrigin}/${worldId}/${media.accountId}/${media.id}/${fileName}`
}

function parseUpstreamUrl(url: string): { world: string; accountId: number; mediaId: number; variant: MediaVariantName } | undefined {
  const match = /^https:\/\/cdn\.platform\.example\/([\w-]+)\/(\d+)\/(\d+)\/(\w+)\.\w+$/.exec(url)
  const variant = variants.find((name) => name === match?.[4])
  if (match === null || variant === undefined) return undefined
  return { world: match[1] ?? '', accountId: Number(match[2]), mediaId: Number(match[3]), variant }
}

/** The id of the world that a media link belongs to; undefined when it is not a link of a sandbox. */
export function worldOfLink(query: string): string | undefined {
  return parseUpstreamUrl(new URLSearchParams(query).get('url') ?? '')?.world
}
