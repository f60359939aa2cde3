import { findPartitionPoint } from '../../../lib/iterables.ts'
import type { MediaAsset } from '../../../generated/media-manifest.ts'
import { seasons as allSeasons } from '../../../seed/local-time.ts'
import type { Random } from '../../../world/random.ts'
import { getMediaAsset } from '../../media/media-links.ts'
import { scoreTopicMatch, isCloseMatch } from '../../media/topics.ts'
import type { MediaType, VaultMedia } from '../../vault/vault.table.ts'

/** A post for which media are selected. */
export interface MediaRequest {
  /** Publication time, ISO. */
  instant: string
  /** Index among the account's posts, oldest first. */
  index: number
  /** The types of its media, in order. */
  types: readonly MediaType[]
  /** Tags of the subjects of its caption, most important first. */
  pictures: readonly string[]
  /** The season where the creator lives. Media that show a different season are excluded. */
  season: string
  /** True if the media do not have to match the caption. */
  isAnyRight: boolean
}

/**
 * A picture may be used at most `uses` times within `posts` consecutive posts. An account with fewer
 * posts has one use for each `postsPerUse` posts, but at least `least` uses.
 */
const useLimit = { uses: 10, posts: 100, postsPerUse: 10, least: 3 }
/** Number of uses that are reserved for posts with only one picture. */
const keptUses = 2
/** Upper limit for the minimum number of posts between two uses of a picture. */
const maxRestPosts = 6

/** A picture, clip or sound, and the vault media with this content, oldest first. */
interface PoolItem {
  asset: MediaAsset
  media: VaultMedia[]
  /** Seasons that the picture shows. Empty if it fits any season. */
  seasons: readonly string[]
  /** Indexes of the posts that used the picture. */
  uses: number[]
  /**
   * Maximum number of uses within `useLimit.posts` posts. One less if a use is reserved for a later
   * post.
   */
  maxUses: number
}

/**
 * Pictures for a post: the best matches, and alternatives for the case that all best matches were
 * used recently.
 */
interface MatchingMedia {
  best: readonly PoolItem[]
  others: readonly PoolItem[]
}

/**
 * Media for the posts of an account. Selects media that match the caption, least recently used
 * first.
 */
export class MediaPool {
  /** Media that are still being transcoded, oldest first. */
  readonly waiting: readonly VaultMedia[]
  readonly #byType = new Map<MediaType, PoolItem[]>()
  /** Media that a post has used. */
  readonly #used = new Set<VaultMedia>()
  /** Media that a post sells. They are not used in other posts. */
  readonly #sold = new Set<VaultMedia>()
  readonly #fitting = new Map<readonly string[], Map<MediaType, MatchingMedia>>()

  /** Minimum number of posts between two uses of a picture. */
  readonly #rest: number

  /**
   * @param vault the media of the account, oldest first
   * @param posts the number of posts that need media
   */
  constructor(vault: readonly VaultMedia[], posts: number) {
    const uses = Math.min(
      useLimit.uses,
      Math.max(useLimit.least, Math.ceil(posts / useLimit.postsPerUse)),
    )
    this.#rest = Math.min(maxRestPosts, Math.floor(posts / uses))
    this.waiting = vault.filter(({ isReady }) => !isReady)
    const byAsset = new Map<string, PoolItem>()
    for (const media of vault) {
      if (!media.isReady) continue
      let shown = byAsset.get(media.asset)
      if (shown === undefined) {
        const isWaiting = this.waiting.some(({ asset }) => asset === media.asset)
        const asset = getMediaAsset(media)
        const seasons = allSeasons.filter((season) => asset.topics.includes(season))
        shown = {
          asset,
          media: [],
          seasons,
          uses: [],
          maxUses: uses - (isWaiting ? 1 : 0),
        }
        byAsset.set(media.asset, shown)
        const sameType = this.#byType.get(media.type)
        if (sameType === undefined) this.#byType.set(media.type, [shown])
        else sameType.push(shown)
      }
      shown.media.push(media)
    }
  }

  /**
   * Selects media that were in the vault at the time of the post. If no clip, GIF or sound matches
   * the caption, selects a photo that matches.
   */
  pick(
    random: Random,
    { instant, index, types, pictures, season, isAnyRight }: MediaRequest,
  ): VaultMedia[] {
    const picked: VaultMedia[] = []
    const shown: PoolItem[] = []
    const pickFrom = (candidates: readonly PoolItem[]): boolean => {
      const rested = sortByLastUse(candidates, {
        taken: shown,
        index,
        instant,
        season,
        rest: isAnyRight ? 0 : this.#rest,
      })
      const free = rested.filter(({ media }) =>
        media.some((each) => !this.#sold.has(each) && each.createdAt <= instant),
      )
      if (free.length === 0) return false
      const one = free[random.integer(0, Math.ceil(free.length / 2) - 1)] as PoolItem
      const shownSoFar = one.media.slice(0, countUntil(one, instant))
      const fresh = shownSoFar.filter((media) => !this.#used.has(media))
      // If all files of a picture were already posted, one of the files is posted again.
      const options = fresh.length > 0 ? fresh : shownSoFar.filter((each) => !this.#sold.has(each))
      if (options.length === 0) return false
      const media = random.pick(options)
      one.uses.push(index)
      shown.push(one)
      picked.push(media)
      return true
    }
    const fitting = this.#fittingTo(pictures)
    for (const type of types) {
      const { best, others } = this.#fit(type, pictures, fitting)
      if (pickFrom(best) || picked.length > 0 || pickFrom(others)) continue
      if (isAnyRight && pickFrom(this.#byType.get(type) ?? [])) continue
      const photos = this.#fit('photo', pictures, fitting)
      if (!pickFrom(photos.best)) pickFrom(photos.others)
    }
    return picked
  }

  /** True if no post has used these media. */
  areNew(media: readonly VaultMedia[]): boolean {
    return media.every((each) => !this.#used.has(each))
  }

  /** Records that a post uses media. If the post sells the media, no other post uses them. */
  use(media: readonly VaultMedia[], isSold: boolean): void {
    for (const each of media) {
      this.#used.add(each)
      if (isSold) this.#sold.add(each)
    }
  }

  #fittingTo(pictures: readonly string[]): Map<MediaType, MatchingMedia> {
    const known = this.#fitting.get(pictures)
    if (known !== undefined) return known
    const byType = new Map<MediaType, MatchingMedia>()
    this.#fitting.set(pictures, byType)
    return byType
  }

  #fit(
    type: MediaType,
    pictures: readonly string[],
    byType: Map<MediaType, MatchingMedia>,
  ): MatchingMedia {
    const known = byType.get(type)
    if (known !== undefined) return known
    const ranked: { shown: PoolItem; fit: number }[] = []
    for (const shown of this.#byType.get(type) ?? []) {
      const fit = scoreTopicMatch(shown.asset, pictures)
      if (fit > 0) ranked.push({ shown, fit })
    }
    ranked.sort((a, b) => b.fit - a.fit)
    const best = ranked[0]?.fit ?? 0
    const shownBy = (isBest: boolean) =>
      ranked.filter(({ fit }) => isCloseMatch(fit, best) === isBest).map(({ shown }) => shown)
    const fitting = { best: shownBy(true), others: shownBy(false) }
    byType.set(type, fitting)
    return fitting
  }
}

/** Returns the candidates that may be used now, least recently used first. */
function sortByLastUse(
  candidates: readonly PoolItem[],
  {
    taken,
    index,
    instant,
    season,
    rest,
  }: { taken: readonly PoolItem[]; index: number; instant: string; season: string; rest: number },
): PoolItem[] {
  const free: PoolItem[] = []
  for (const shown of candidates) {
    const [oldest] = shown.media
    const maxUses = taken.length === 0 ? shown.maxUses : Math.max(1, shown.maxUses - keptUses)
    if (
      oldest === undefined ||
      oldest.createdAt > instant ||
      !canBeReused(shown, index, maxUses) ||
      taken.includes(shown)
    )
      continue
    if (shown.seasons.length > 0 && !shown.seasons.includes(season)) continue
    // For the second and later pictures of a post, the minimum distance is halved, because
    // otherwise few posts would have several media.
    if (shown.uses.length > 0 && index - getLastUse(shown) < (taken.length === 0 ? rest : rest / 2))
      continue
    // Insertion sort, because the list is short.
    let place = free.length
    for (; place > 0 && getLastUse(free[place - 1]) > getLastUse(shown); place -= 1)
      free[place] = free[place - 1] as PoolItem
    free[place] = shown
  }
  return free
}

function getLastUse(shown: PoolItem | undefined): number {
  return shown === undefined || shown.uses.length === 0
    ? -1
    : (shown.uses[shown.uses.length - 1] ?? -1)
}

function canBeReused({ uses }: PoolItem, index: number, maxUses: number): boolean {
  return uses.length < maxUses || index - (uses[uses.length - maxUses] ?? 0) >= useLimit.posts
}

/** Counts the media of a picture that were in the vault at that time. */
function countUntil({ media }: PoolItem, instant: string): number {
  return findPartitionPoint(media, ({ createdAt }) => createdAt > instant)
}
