import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { defineService } from '../../world/service.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset, MediaVariantName } from '../../generated/media-manifest.ts'
import type { World } from '../world.ts'
import type { VaultMedia } from '../vault/vault.table.ts'

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
