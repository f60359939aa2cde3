import { mediaManifest } from '../../generated/media-manifest.ts'
import { toIso } from '../../schemas/time.ts'
import type { Post } from '../posts.ts'
import { builtInLists } from '../vault.ts'
import type { MediaType, VaultMedia } from '../vault.ts'
import { append, daysAgo, momentBetween } from './sowing.ts'
import type { Field, Sower } from './sowing.ts'

/** Photos are the most, audio the rarest; the first eight are two of each. */
const types: readonly (readonly [MediaType, number])[] = [
  ['photo', 62],
  ['video', 22],
  ['gif', 8],
  ['audio', 8],
]
const firstTypes: readonly MediaType[] = ['photo', 'video', 'gif', 'audio']

/** How many media are older than the first post, so that it has something to show. */
const oldMedia = 2 * firstTypes.length

/** Sows the vault lists and media of an account; returns the media, oldest first. Of ten or more the last two are still being transcoded. */
export function sowVault(sower: Sower, { account, data }: Field): VaultMedia[] {
  const { random, rows, nextId } = sower
  const list = (name: string, type: string, isCustom: boolean) => ({ id: nextId('vaultLists'), accountId: account.id, type, name, canUpdate: isCustom, canDelete: isCustom })
  append(rows.vaultLists, Object.entries(builtInLists).map(([name, type]) => list(name, type, false)))
  const custom = data.vaultLists.map((name) => list(name, 'custom', true))
  append(rows.vaultLists, custom)

  const times = Array.from({ length: data.vaultMedia }, (_, index) => momentBetween(sower, daysAgo(sower, index < oldMedia ? 737 : 730), daysAgo(sower, index < oldMedia ? 730 : 1))).toSorted((a, b) => a - b)
  const media = times.map((createdAt, index) => {
    const isReady = data.vaultMedia < 10 || index < data.vaultMedia - 2
    const made = isReady ? createdAt : sower.now - sower.transcodingMs / 2 + index
    const type = index < oldMedia ? (firstTypes[index % firstTypes.length] ?? 'photo') : random.weighted(types)
    const asset = random.pick(mediaManifest.filter((candidate) => candidate.type === type))
    return {
      id: nextId('vaultMedia'),
      accountId: account.id,
      type,
      createdAt: toIso(made),
      isReady,
      readyAt: toIso(made + sower.transcodingMs),
      canView: true,
      likesCount: 0,
      tipsSumm: 0,
      duration: asset.duration,
      asset: asset.name,
      listIds: custom.filter(() => random.chance(0.2)).map(({ id }) => id),
    }
  })
  append(rows.vaultMedia, media)
  return media
}

/** Gives the media the likes and tips of the posts that show them. */
export function giveEngagement(vault: readonly VaultMedia[], posts: readonly Post[]): void {
  const counters = new Map(vault.map(({ id }) => [id, { likesCount: 0, tipsSumm: 0 }]))
  for (const { mediaFiles, likeCount, tipSum } of posts) {
    for (const id of mediaFiles) {
      const counter = counters.get(id)
      if (counter === undefined) continue
      counter.likesCount += likeCount
      counter.tipsSumm += tipSum
    }
  }
  for (const media of vault) Object.assign(media, counters.get(media.id))
}
