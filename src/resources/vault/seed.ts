import { fillIn } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import { append, daysAgo, momentBetween } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { Post } from '../posts/posts.table.ts'
import { builtInLists } from './vault.table.ts'
import type { MediaType, VaultMedia } from './vault.table.ts'

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
  const { random, rows, nextId, texts } = sower
  const list = (name: string, type: string, isCustom: boolean) => ({ id: nextId('vaultLists'), accountId: account.id, type, name, canUpdate: isCustom, canDelete: isCustom })
  append(rows.vaultLists, builtInLists.map((type) => list(texts.lists.vault[type], type, false)))
  const names = typeof data.vaultLists === 'number' ? Array.from({ length: data.vaultLists }, (_, index) => fillIn(texts.lists.numbered, { NUMBER: String(index + 1) })) : data.vaultLists
  const custom = names.map((name) => list(name, 'custom', true))
  append(rows.vaultLists, custom)

  const times = Array.from({ length: data.vaultMedia }, (_, index) => momentBetween(sower, daysAgo(sower, index < oldMedia ? 737 : 730), daysAgo(sower, index < oldMedia ? 730 : 1))).toSorted((a, b) => a - b)
  const media = times.map((createdAt, index) => {
    const isReady = data.vaultMedia < 10 || index < data.vaultMedia - 2
    const made = isReady ? createdAt : sower.now - sower.transcodingMs / 2 + index
    const type = index < oldMedia ? (firstTypes[index % firstTypes.length] ?? 'photo') : random.weighted(types)
    const asset = random.pick(mediaManifest.filter((candidate) => candidate.type === type))
    const id = nextId('vaultMedia')
    return {
      id,
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
      ...fileOf(sower, id, asset),
      hasError: false,
      hasCustomPreview: type === 'video' && id % 4 === 1,
      convertedToVideo: false,
      releaseFormIds: [],
      listIds: custom.filter(() => random.chance(0.2)).map(({ id }) => id),
    }
  })
  append(rows.vaultMedia, media)
  return media
}

/** The file that a media item was made from: its bytes are those of the asset. No chance here: the id says it all. */
function fileOf({ texts: { vault: { fileNames } } }: Sower, id: number, { md5, variants }: (typeof mediaManifest)[number]): Pick<VaultMedia, 'fileName' | 'hash' | 'size'> {
  const extension = variants.full.file.split('.').at(-1) ?? ''
  return { fileName: `${fileNames[id % fileNames.length] ?? ''}-${String(Math.floor(id / 10) % 10_000).padStart(4, '0')}.${extension}`, hash: md5, size: variants.full.size }
}

/** Puts all media into the built-in lists that they belong to: runs once all posts, messages and stories are there. */
export function sowPlaces({ rows }: Sower): void {
  const places = new Map(rows.vaultMedia.map(({ id }) => [id, new Set<string>()]))
  const put = (ids: readonly number[], type: string) => {
    for (const id of ids) places.get(id)?.add(type)
  }
  for (const { mediaFiles, isStream } of rows.posts) {
    put(mediaFiles, 'posts')
    if (isStream) put(mediaFiles, 'streams')
  }
  for (const { mediaFiles, isFromFan } of rows.messages) if (!isFromFan) put(mediaFiles, 'messages')
  for (const { mediaFiles } of rows.stories) put(mediaFiles, 'stories')
  const lists = new Map(rows.vaultLists.map(({ id, accountId, type }) => [`${accountId}:${type}`, id]))
  for (const media of rows.vaultMedia) {
    const types = places.get(media.id) ?? new Set()
    // Whatever came by no other way was uploaded, and some of the rest.
    if (media.id % 5 === 2 || types.size === 0) types.add('media_stickers')
    const builtIn = builtInLists.flatMap((type) => (types.has(type) ? (lists.get(`${media.accountId}:${type}`) ?? []) : []))
    Object.assign(media, { listIds: [...builtIn, ...media.listIds] })
  }
}

/** Sows the consents of two people who can be seen in some of the media. */
export function sowReleaseForms(sower: Sower, { account }: Field, vault: readonly VaultMedia[]): void {
  if (vault.length < 10) return
  const [partner = '', guest = ''] = [sower.names.first[account.id % sower.names.first.length], sower.names.first[(account.id * 7 + 3) % sower.names.first.length]]
  const toForm = (name: string, isFromGuest: boolean) => ({
    id: sower.nextId('releaseForms'),
    accountId: account.id,
    name: fillIn(sower.texts.vault.releaseForm, { NAME: name }),
    partnerSource: isFromGuest ? null : 'platform',
    type: isFromGuest ? ('guest' as const) : ('partner' as const),
    user: { id: account.id + (isFromGuest ? 2 : 1), name, username: name.toLowerCase(), avatar: null, isVerified: !isFromGuest, ivStatus: 'approved', isFromGuest },
  })
  const forms = [toForm(partner, false), toForm(guest, true)]
  append(sower.rows.releaseForms, forms)
  for (const media of vault) {
    if (media.id % 8 < 2) Object.assign(media, { releaseFormIds: forms.slice(0, 1 + (media.id % 8)).map(({ id }) => id) })
  }
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
