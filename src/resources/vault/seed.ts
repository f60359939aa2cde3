import { fillIn } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import { append, daysAgo, momentBetween } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { fileOf } from './files.ts'
import type { VaultSizes } from './sizes.ts'
import { builtInLists } from './vault.table.ts'
import type { MediaType } from './vault.table.ts'

/** The types of media, each with its weight. */
const types: readonly (readonly [MediaType, number])[] = [
  ['photo', 62],
  ['video', 22],
  ['gif', 8],
  ['audio', 8],
]

/** The types of the first media, twice over, so that each vault has all types. */
const firstTypes: readonly MediaType[] = ['photo', 'video', 'gif', 'audio']

/** How many media are older than the first post, so that it has some to show. */
const oldMedia = 2 * firstTypes.length

/** Seeds the vault lists and media of an account. In a vault of ten or more, the last two are still being transcoded. */
export function seedVault(seeding: Seeding, { account, sizes }: AccountPlan<VaultSizes>): void {
  const { random, rows, nextId, texts } = seeding
  const list = (name: string, type: string, isCustom: boolean) => ({
    id: nextId('vaultLists'),
    accountId: account.id,
    type,
    name,
    canUpdate: isCustom,
    canDelete: isCustom,
  })
  append(
    rows.vaultLists,
    builtInLists.map((type) => list(texts.lists.vault[type], type, false)),
  )
  const names =
    typeof sizes.vaultLists === 'number'
      ? Array.from({ length: sizes.vaultLists }, (_, index) => fillIn(texts.lists.numbered, { NUMBER: String(index + 1) }))
      : sizes.vaultLists
  const custom = names.map((name) => list(name, 'custom', true))
  append(rows.vaultLists, custom)

  const times = Array.from({ length: sizes.vaultMedia }, (_, index) =>
    momentBetween(seeding, daysAgo(seeding, index < oldMedia ? 737 : 730), daysAgo(seeding, index < oldMedia ? 730 : 1)),
  ).toSorted((a, b) => a - b)
  const media = times.map((createdAt, index) => {
    const isReady = sizes.vaultMedia < 10 || index < sizes.vaultMedia - 2
    const made = isReady ? createdAt : seeding.now - seeding.transcodingMs / 2 + index
    const type = index < oldMedia ? (firstTypes[index % firstTypes.length] ?? 'photo') : random.weighted(types)
    const asset = random.pick(mediaManifest.filter((candidate) => candidate.type === type))
    const id = nextId('vaultMedia')
    return {
      id,
      accountId: account.id,
      type,
      createdAt: toIso(made),
      isReady,
      readyAt: toIso(made + seeding.transcodingMs),
      canView: true,
      likesCount: 0,
      tipsSumm: 0,
      duration: asset.duration,
      asset: asset.name,
      ...fileOf(texts, id, asset),
      hasError: false,
      hasCustomPreview: type === 'video' && id % 4 === 1,
      convertedToVideo: false,
      releaseFormIds: [],
      listIds: custom.filter(() => random.chance(0.2)).map(({ id }) => id),
    }
  })
  append(rows.vaultMedia, media)
}
