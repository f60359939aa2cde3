import type { Random } from '../../engine/random.ts'
import { partition } from '../../engine/store/sorted-list.ts'
import { toIso } from '../../engine/time.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import { fitOf, isClose } from '../media/topics.ts'
import { assetOf } from '../media/signatures.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'

/** A post that wants media. */
export interface MediaRequest {
  /** When it goes out, epoch ms. */
  time: number
  /** Its place among the account's posts, oldest first. */
  index: number
  /** The types of its media, one after the other. */
  types: readonly MediaType[]
  /** What its caption speaks of, by tag; the first ones matter most. */
  pictures: readonly string[]
  /** Whether it has media whatever they show. */
  isAnyRight: boolean
}

/** How often a picture may stand in so many posts that follow one another. */
const mostUses = { uses: 5, posts: 100 }

/** A picture, clip or sound, with the media of the vault that show it, oldest first. */
interface Shown {
  asset: MediaAsset
  media: VaultMedia[]
  /** The places of the posts that had it. */
  uses: number[]
  /** How often it may stand in so many posts. One that a post to come has to show may so once less. */
  most: number
}

/** The media that the posts of an account draw from: each shows what its post speaks of, and comes back as late as possible. */
export class MediaPool {
  /** The media that are still being transcoded, oldest first. */
  readonly waiting: readonly VaultMedia[]
  readonly #byType = new Map<MediaType, Shown[]>()
  readonly #fitting = new Map<string, { shown: Shown; fit: number }[]>()

  /** @param vault the media of the account, oldest first */
  constructor(vault: readonly VaultMedia[]) {
    this.waiting = vault.filter(({ isReady }) => !isReady)
    const byAsset = new Map<string, Shown>()
    for (const media of vault) {
      if (!media.isReady) continue
      let shown = byAsset.get(media.asset)
      if (shown === undefined) {
        const isWaiting = this.waiting.some(({ asset }) => asset === media.asset)
        shown = { asset: assetOf(media), media: [], uses: [], most: mostUses.uses - (isWaiting ? 1 : 0) }
        byAsset.set(media.asset, shown)
        this.#byType.set(media.type, [...(this.#byType.get(media.type) ?? []), shown])
      }
      shown.media.push(media)
    }
  }

  /**
   * Picks media that were in the vault at the time of the post. Where no clip fits what it speaks of, it has a photo; a photo that does not
   * fit is left out.
   */
  pick(random: Random, request: MediaRequest): VaultMedia[] {
    const picked = new Map<Shown, VaultMedia>()
    const instant = toIso(request.time)
    const pick = (candidates: readonly Shown[]): boolean => {
      const free = candidates.filter((shown) => !picked.has(shown) && isRested(shown, request.index) && countUntil(shown, instant) > 0)
      if (free.length === 0) return false
      const rested = free.toSorted((a, b) => (a.uses.at(-1) ?? -1) - (b.uses.at(-1) ?? -1))
      const shown = random.pick(rested.slice(0, Math.ceil(rested.length / 2)))
      const media = shown.media[random.integer(0, countUntil(shown, instant) - 1)]
      if (media === undefined) return false
      shown.uses.push(request.index)
      picked.set(shown, media)
      return true
    }
    for (const type of request.types) {
      if (pick(this.#close(type, request.pictures))) continue
      // A sound and a GIF say little of what a post is about.
      if (type === 'gif' || type === 'audio') pick(this.#byType.get(type) ?? [])
      else if (picked.size === 0)
        [
          this.#fit(type, request.pictures),
          this.#fit('photo', request.pictures),
          request.isAnyRight ? (this.#byType.get(type) ?? []) : [],
        ].some(pick)
    }
    return [...picked.values()]
  }

  /** What fits nearly as well as the best. */
  #close(type: MediaType, pictures: readonly string[]): Shown[] {
    const fitting = this.#ranked(type, pictures)
    return fitting.filter(({ fit }) => isClose(fit, fitting[0]?.fit ?? 0)).map(({ shown }) => shown)
  }

  #fit(type: MediaType, pictures: readonly string[]): Shown[] {
    return this.#ranked(type, pictures).map(({ shown }) => shown)
  }

  #ranked(type: MediaType, pictures: readonly string[]): { shown: Shown; fit: number }[] {
    const key = `${type} ${pictures.join()}`
    const known = this.#fitting.get(key)
    if (known !== undefined) return known
    const ranked = (this.#byType.get(type) ?? [])
      .map((shown) => ({ shown, fit: fitOf(shown.asset, pictures) }))
      .filter(({ fit }) => fit > 0)
      .toSorted((a, b) => b.fit - a.fit)
    this.#fitting.set(key, ranked)
    return ranked
  }
}

function isRested({ uses, most }: Shown, index: number): boolean {
  const earlier = uses.at(-most)
  return earlier === undefined || index - earlier >= mostUses.posts
}

/** How many of the media of a picture were in the vault at that time. */
function countUntil({ media }: Shown, instant: string): number {
  return partition(media, ({ createdAt }) => createdAt > instant)
}
