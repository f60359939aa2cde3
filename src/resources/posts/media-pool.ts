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

/** What shows something of what a post speaks of: all of it, best first, and what fits nearly as well as the best. */
interface Fitting {
  all: readonly Shown[]
  close: readonly Shown[]
}

/** The media that the posts of an account draw from: each shows what its post speaks of, and comes back as late as possible. */
export class MediaPool {
  /** The media that are still being transcoded, oldest first. */
  readonly waiting: readonly VaultMedia[]
  readonly #byType = new Map<MediaType, Shown[]>()
  readonly #fitting = new Map<readonly string[], Map<MediaType, Fitting>>()

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
        const sameType = this.#byType.get(media.type)
        if (sameType === undefined) this.#byType.set(media.type, [shown])
        else sameType.push(shown)
      }
      shown.media.push(media)
    }
  }

  /**
   * Picks media that were in the vault at the time of the post. Where no clip fits what it speaks of, it has a photo; a photo that does not
   * fit is left out.
   */
  pick(random: Random, { time, index, types, pictures, isAnyRight }: MediaRequest): VaultMedia[] {
    const picked: VaultMedia[] = []
    const shown: Shown[] = []
    const instant = toIso(time)
    const pickFrom = (candidates: readonly Shown[]): boolean => {
      const free = longestRested(candidates, { taken: shown, index, instant })
      if (free.length === 0) return false
      const one = free[random.integer(0, Math.ceil(free.length / 2) - 1)] as Shown
      const media = one.media[random.integer(0, countUntil(one, instant) - 1)]
      if (media === undefined) return false
      one.uses.push(index)
      shown.push(one)
      picked.push(media)
      return true
    }
    for (const type of types) {
      const { all, close } = this.#fit(type, pictures)
      if (pickFrom(close)) continue
      const anyOfType = this.#byType.get(type) ?? []
      // A sound and a GIF say little of what a post is about.
      if (type === 'gif' || type === 'audio') pickFrom(anyOfType)
      else if (picked.length === 0 && !pickFrom(all) && !pickFrom(this.#fit('photo', pictures).all) && isAnyRight) pickFrom(anyOfType)
    }
    return picked
  }

  #fit(type: MediaType, pictures: readonly string[]): Fitting {
    let byType = this.#fitting.get(pictures)
    if (byType === undefined) {
      byType = new Map()
      this.#fitting.set(pictures, byType)
    }
    const known = byType.get(type)
    if (known !== undefined) return known
    const ranked: { shown: Shown; fit: number }[] = []
    for (const shown of this.#byType.get(type) ?? []) {
      const fit = fitOf(shown.asset, pictures)
      if (fit > 0) ranked.push({ shown, fit })
    }
    ranked.sort((a, b) => b.fit - a.fit)
    const best = ranked[0]?.fit ?? 0
    const all = ranked.map(({ shown }) => shown)
    const fitting = { all, close: all.filter((_, place) => isClose(ranked[place]?.fit ?? 0, best)) }
    byType.set(type, fitting)
    return fitting
  }
}

/** Those of the candidates that a post may have, in the order in which they were last seen. */
function longestRested(
  candidates: readonly Shown[],
  { taken, index, instant }: { taken: readonly Shown[]; index: number; instant: string },
): Shown[] {
  const free: Shown[] = []
  for (const shown of candidates) {
    const [oldest] = shown.media
    if (oldest === undefined || oldest.createdAt > instant || !isRested(shown, index) || taken.includes(shown)) continue
    // They are few, and this sorts them as they come.
    let place = free.length
    for (; place > 0 && lastUse(free[place - 1]) > lastUse(shown); place -= 1) free[place] = free[place - 1] as Shown
    free[place] = shown
  }
  return free
}

function lastUse(shown: Shown | undefined): number {
  return shown === undefined || shown.uses.length === 0 ? -1 : (shown.uses[shown.uses.length - 1] ?? -1)
}

function isRested({ uses, most }: Shown, index: number): boolean {
  return uses.length < most || index - (uses[uses.length - most] ?? 0) >= mostUses.posts
}

/** How many of the media of a picture were in the vault at that time. */
function countUntil({ media }: Shown, instant: string): number {
  return partition(media, ({ createdAt }) => createdAt > instant)
}
