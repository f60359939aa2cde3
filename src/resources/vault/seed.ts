import { dayMs, minuteMs, toIsoTime, hourMs } from '../../lib/time.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import { chooseNames } from '../../seed/given-names.ts'
import type { Persona } from '../../seed/persona.ts'
import { appendRows, getTimeDaysAgo, pickTimeBetween, shuffle } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { getScene, scoreTopicMatch } from '../media/topics.ts'
import { createRandom } from '../../world/random.ts'
import { createMedia, isForSale, createOriginalFile } from './files.ts'
import { builtInLists } from './vault.table.ts'
import type { VaultSizes, MediaType } from './vault.table.ts'
import { toPictureUrl } from '../../world/public-files.ts'
import { fillPlaceholders } from '../../lib/text.ts'
import type { Fan } from '../fans/fans.table.ts'
import { findUnusedUsername } from '../fans/names.ts'
import { getMediaAsset } from '../media/media-links.ts'
import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'
import { findBuiltInListId } from './built-in-lists.ts'

/** The types of media, with weights. */
const types: readonly (readonly [MediaType, number])[] = [
  ['photo', 69],
  ['video', 23],
  ['gif', 3],
  ['audio', 5],
]

/** Types of the first media items. Each type occurs twice, so that every vault has all types. */
const firstTypes: readonly MediaType[] = ['photo', 'video', 'gif', 'audio']

/**
 * Accounts use multiples of this number. Their fractional parts are evenly distributed, so each
 * account gets a different transcoding time.
 */
const golden = 0.618

/**
 * Returns the number of media that are older than the first post, so that the first posts can have
 * media. The number is half of all media, but at least two of each type.
 */
const oldMedia = (count: number) => Math.max(2 * firstTypes.length, Math.floor(count / 2))

/**
 * Seeds the vault lists and media of an account. If there are ten or more media, the last two are
 * still being transcoded.
 */
export function seedVault(
  seeding: SeedContext,
  { account, sizes, persona, since }: AccountPlan<VaultSizes & AccountSizes>,
): void {
  const { random, rows, nextId, texts } = seeding
  const list = (name: string, type: string, isCustom: boolean) => ({
    id: nextId('vaultLists'),
    accountId: account.id,
    type,
    name,
    canUpdate: isCustom,
    canDelete: isCustom,
  })
  appendRows(
    rows.vaultLists,
    builtInLists.map((type) => list(texts.lists.vault[type], type, false)),
  )
  const names = chooseNames(sizes.vaultLists, {
    texts,
    isEdge: sizes.texts === 'edge',
    own: persona.names.vaultLists,
    numbered: texts.lists.numbered,
  })
  const custom = names.map((name) => list(name, 'custom', true))
  appendRows(rows.vaultLists, custom)

  const old = oldMedia(sizes.vaultMedia)
  const times = Array.from({ length: sizes.vaultMedia }, (_, index) =>
    pickTimeBetween(
      seeding,
      index < old ? since : since + dayMs,
      index < old ? since + dayMs : getTimeDaysAgo(seeding, 1),
    ),
  ).toSorted((a, b) => a - b)
  const drawAsset = createAssetPicker(seeding, persona, account.id)
  const waitingSince =
    seeding.now - Math.floor(seeding.transcodingMs * (0.1 + 0.75 * ((seeding.index * golden) % 1)))
  // Media that are still being transcoded are long and were uploaded minutes ago.
  const uploadedAt =
    waitingSince - minuteMs - Math.floor(20 * minuteMs * ((seeding.index * golden + 0.4) % 1))
  for (const [index, createdAt] of times.entries()) {
    const isReady = sizes.vaultMedia < 10 || index < sizes.vaultMedia - 2
    const made = isReady ? createdAt : uploadedAt + index
    const type =
      index < 2 * firstTypes.length
        ? (firstTypes[index % firstTypes.length] ?? 'photo')
        : random.pickWeighted(types)
    const asset = drawAsset(type, isForSale(index, sizes.vaultMedia))
    const id = nextId('vaultMedia')
    const listIds: number[] = []
    for (const { id: listId } of custom) if (random.chance(0.2)) listIds.push(listId)
    rows.vaultMedia.push(
      createMedia(asset, {
        id,
        accountId: account.id,
        createdAt: toIsoTime(made),
        isReady,
        readyAt:
          !isReady && sizes.stuckMedia
            ? null
            : toIsoTime((isReady ? made : waitingSince + index) + seeding.transcodingMs),
        hasCustomPreview: type === 'video' && id % 4 === 1,
        listIds,
      }),
    )
  }
}

/**
 * Fraction of scenes that a creator sells and never posts. Applies only if there are at least
 * `least` scenes.
 */
const soldScenes = { share: 0.34, least: 6 }

/**
 * Creates a function that picks random files for a creator. The files match the creator's topics,
 * and each is used equally often. Creators who have enough scenes do not sell the scenes that they
 * post.
 */
function createAssetPicker(
  { random }: SeedContext,
  { topics }: Persona,
  accountId: number,
): (type: MediaType, isSold: boolean) => MediaAsset {
  const rounds = new Map<string, { all: readonly MediaAsset[]; left: MediaAsset[] }>()
  const matching = new Map<MediaType, readonly MediaAsset[]>()
  const assets = firstTypes.flatMap((type) => listMatchingAssets(topics, type))
  const scenes = [...new Set(assets.map(({ name }) => getScene(name)))]
  const sold = new Set(
    shuffle(createRandom(0, 'sold', accountId), scenes).slice(0, scenes.length * soldScenes.share),
  )
  const isOnlySold = ({ name }: MediaAsset) => sold.has(getScene(name))
  return (type, isSold) => {
    const key = `${type} ${isSold}`
    let round = rounds.get(key)
    if (round === undefined) {
      const all = matching.get(type) ?? listMatchingAssets(topics, type)
      matching.set(type, all)
      const own = all.filter((asset) => isOnlySold(asset) === isSold)
      round = { all: all.length < soldScenes.least || own.length === 0 ? all : own, left: [] }
      rounds.set(key, round)
    }
    if (round.left.length === 0) round.left = [...round.all]
    const [asset] = round.left.splice(random.integer(0, round.left.length - 1), 1)
    return asset as MediaAsset
  }
}

/** Returns the files of a type that match the creator's topics. */
function listMatchingAssets(topics: Persona['topics'], type: MediaType): readonly MediaAsset[] {
  const all = mediaManifest.filter((asset) => asset.type === type)
  // Audio files and GIFs do not have to match a topic.
  if (type === 'gif' || type === 'audio') return all
  const fitting = all.filter((asset) =>
    Object.values(topics).some(({ pictures }) => scoreTopicMatch(asset, pictures) > 0),
  )
  return fitting.length === 0 ? all : fitting
}

/** Topics of pictures that show people. */
const topicsWithPeople = new Set(['people', 'harbor-people', 'race', 'yoga', 'diver'])

/**
 * Seeds the release forms of a partner and a guest. The partner and the guest appear in some of the
 * media that show people.
 */
export function seedReleaseForms(seeding: SeedContext, { account }: AccountPlan): void {
  const vault = seeding.rows.vaultMedia.filter(({ senderId }) => senderId === undefined)
  if (vault.length < 10) return
  const { person } = seeding.fakers.at('en', seeding.branch('people').random)
  const [partner, guest] = [person.firstName(), person.firstName()]
  const toForm = (name: string, isFromGuest: boolean) => {
    const user = addUser(seeding, name, isFromGuest ? 0 : (seeding.texts.prices.creators[0] ?? 0))
    return {
      id: seeding.nextId('releaseForms'),
      accountId: account.id,
      name: fillPlaceholders(seeding.texts.vault.releaseForm, { NAME: name }),
      partnerSource: isFromGuest ? null : 'platform',
      type: isFromGuest ? ('guest' as const) : ('partner' as const),
      user: {
        id: user.id,
        name,
        username: user.username,
        avatar: null,
        isVerified: !isFromGuest,
        ivStatus: 'approved',
        isFromGuest,
      },
    }
  }
  const forms = [toForm(partner, false), toForm(guest, true)]
  appendRows(seeding.rows.releaseForms, forms)
  const withPeople = vault.filter((media) =>
    getMediaAsset(media).topics.some((topic) => topicsWithPeople.has(topic)),
  )
  // The number of forms repeats: two, none, one.
  for (const [index, media] of withPeople.entries())
    Object.assign(media, { releaseFormIds: forms.slice(0, (index + 2) % 3).map(({ id }) => id) })
}

/** Adds the platform user that a release form refers to. */
function addUser(
  { rows, now, nextUserId, random, reserveUsername }: SeedContext,
  name: string,
  subscribePrice: number,
): Fan {
  const id = nextUserId(now - random.integer(700 * dayMs, 2000 * dayMs))
  const fan = {
    id,
    name,
    username: findUnusedUsername(pickCreatorUsername(id, name), reserveUsername),
    avatar: toPictureUrl(id),
    subscribePrice,
    lastSeen: toIsoTime(now - random.integer(2 * hourMs, 9 * dayMs)),
  }
  rows.fans.push(fan)
  return fan
}

/** Picks a typical username of a creator. */
function pickCreatorUsername(id: number, name: string): string {
  const random = createRandom(0, 'creator username', id)
  const lower = name.toLowerCase().replace(/[^a-z]/g, '')
  const word = random.pick(['official', 'studio', 'films', 'outside', 'daily', 'moves'])
  const year = random.integer(85, 99)
  return random.pick([
    `${lower}.${word}`,
    `${lower}_${word}`,
    `its.${lower}`,
    `${lower}_${year}`,
    `hey${lower}`,
  ])
}

/**
 * Fills in missing fields of vault media. By default, a media item is an uploaded photo that is
 * ready.
 */
export const vaultMediaFactory = defineFactory({
  name: 'vaultMedia',
  table: 'vaultMedia',
  time: 'createdAt',
  complete(given, context) {
    const { world, at, iso, random, id } = context
    const accountId = context.accountId(given)
    const { type = 'photo', isReady = true, senderId } = given
    const asset =
      mediaManifest.find(({ name }) => name === given.asset) ??
      random.pick(mediaManifest.filter((candidate) => candidate.type === type))
    const uploads = findBuiltInListId(world, accountId, 'media_stickers')
    return {
      accountId,
      type: asset.type,
      createdAt: iso,
      readyAt: isReady ? iso : toIsoTime(at + world.options.transcodingMs),
      duration: asset.duration,
      asset: asset.name,
      ...createOriginalFile(id, asset),
      listIds: uploads === undefined || senderId !== undefined ? [] : [uploads],
    }
  },
})

/** Fills in missing fields of vault lists. By default, a list is a custom list. */
export const vaultListFactory = defineFactory({
  name: 'vaultList',
  table: 'vaultLists',
  time: 'modifiedAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const count = context.world.db.vaultLists.in('byAccount', accountId).size
    const name = fillPlaceholders(createTextSources(context).texts.lists.numbered, {
      NUMBER: String(count + 1),
    })
    const { type = 'custom' } = given
    // Built-in lists have no modification time.
    return { accountId, type, name, modifiedAt: type === 'custom' ? context.iso : undefined }
  },
})

/**
 * Fills in missing fields of the sort order of vault lists. By default, lists are sorted by name.
 */
export const vaultListOrderFactory = defineFactory({
  name: 'vaultListOrder',
  table: 'vaultListOrders',
  complete: ({ id, sort = 'name' }, context) => ({
    id: id ?? context.accountId({}),
    sort,
    order: sort === 'custom' ? null : ('asc' as const),
    customOrder: [],
  }),
})

/**
 * Fills in missing fields of release forms. By default, the form is for a guest who is a user of
 * the platform.
 */
export const releaseFormFactory = defineFactory({
  name: 'releaseForm',
  table: 'releaseForms',
  complete(given, context) {
    const { world } = context
    const { type = 'guest' } = given
    const isFromGuest = type === 'guest'
    const userId = given.user?.id ?? context.only('user', world.db.fans.slice(0, 11), 'user')
    const person = world.db.fans.get(userId) ?? world.db.accounts.get(userId)
    if (person === undefined)
      throw new SandboxError(
        `Failed to make the releaseForm (user.id: ${userId}): there is no user with that id. Choose ` +
          'another.',
      )
    const { name, username } = person
    return {
      accountId: context.accountId(given),
      name: fillPlaceholders(createTextSources(context).texts.vault.releaseForm, { NAME: name }),
      partnerSource: isFromGuest ? null : 'platform',
      type,
      user: {
        id: userId,
        name,
        username,
        avatar: null,
        isVerified: !isFromGuest,
        ivStatus: 'approved',
        isFromGuest,
      },
    }
  },
})
