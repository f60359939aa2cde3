import type { MediaAsset } from '../../generated/media-manifest.ts'
import { dayMs, minuteMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { getUtcOffsetMs, moveBeforeBedtime } from '../../seed/local-time.ts'
import type { WakingPlace } from '../../seed/local-time.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import type { MediaType, VaultMedia } from './vault.table.ts'

/**
 * Minimum and maximum size in bytes: of an original photo or GIF, and of one second of video or
 * audio.
 */
const sizes = {
  photo: [1_700_000, 5_200_000],
  gif: [300_000, 2_600_000],
  video: [900_000, 2_300_000],
  audio: [15_000, 31_000],
} as const satisfies Record<MediaType, readonly [number, number]>

/**
 * Creates the name, the hash and the size of a media item's original file. They depend only on the
 * id. The platform serves only smaller renditions, so the original file does not exist here.
 */
export function createOriginalFile(
  id: number,
  { type, duration, variants }: MediaAsset,
): Pick<VaultMedia, 'fileName' | 'hash' | 'size'> {
  const random = createRandom(0, 'file', id)
  const [least, most] = sizes[type]
  const size = random.integer(least, most) * Math.max(1, duration)
  let hash = ''
  for (let part = 0; part < 4; part += 1)
    hash += random.integer(0, 0xffff_ffff).toString(16).padStart(8, '0')
  const number = String(random.integer(1000, 9999))
  return { fileName: `IMG_${number}.${endingOf(variants.full.file)}`, hash, size: Math.floor(size) }
}

/** File name patterns of creators' cameras and phones, with weights. */
const cameras = [
  ['iphone', 5],
  ['android', 3],
  ['pixel', 1],
  ['camera', 1],
] as const

/**
 * Time from a recording to its upload: the minimum and the maximum, and the exponent of the power
 * law between them. Half of the files are uploaded within half an hour.
 */
const recordedBefore = { leastMs: 6 * minuteMs, mostMs: 11 * dayMs, power: 2.2 } as const
/** Fraction of files that may have been recorded at night. */
const nightShare = 0.04
/** Maximum number of pictures that creators take between two uploads. */
const maxSkipped = 14

/**
 * Creates a function that returns camera-style file names for a creator. Call this function in
 * chronological order, because the file numbers increase and start again after 9999.
 */
export function createFileNames(
  random: Random,
  place: WakingPlace,
): (media: Pick<VaultMedia, 'type' | 'createdAt' | 'fileName'>) => string {
  const camera = random.pickWeighted(cameras)
  let number = random.integer(140, 7200)
  let recordings = random.integer(2, 60)
  return ({ type, createdAt, fileName }) => {
    const ending = endingOf(fileName)
    if (type === 'audio')
      return `Recording_${String((recordings += random.integer(1, 3))).padStart(3, '0')}.${ending}`
    number = (number + random.integer(1, maxSkipped)) % 10_000
    const digits = String(number).padStart(4, '0')
    if (type === 'gif') return `giphy-${digits}.${ending}`
    if (camera === 'iphone') return `IMG_${digits}.${ending}`
    if (camera === 'camera') return `${type === 'video' ? 'MVI' : 'DSC'}_${digits}.${ending}`
    // The local time of recording, such as 20260302_181544.
    const { leastMs, mostMs, power } = recordedBefore
    const before = Math.min(mostMs, leastMs / (1 - random.next()) ** power)
    const drawnAt = Math.floor(parseIso(createdAt) - before)
    const at = random.chance(nightShare)
      ? drawnAt
      : moveBeforeBedtime(place, drawnAt, 4 * random.next())
    const time = toIsoTime(at + getUtcOffsetMs(place, at))
      .slice(0, 19)
      .replaceAll(/[-:]/g, '')
      .replace('T', '_')
    return camera === 'pixel' ? `PXL_${time}${digits.slice(1)}.${ending}` : `${time}.${ending}`
  }
}

function endingOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

/**
 * The use of a media item in seeded data. Each item has only one use, so that it is not sold twice.
 * `gifts` are sent free of charge in chats.
 */
export type Purpose = 'posts' | 'offers' | 'massMessages' | 'gifts'

/** Uses of media. Ten consecutive media have these uses, and the sequence then repeats. */
const turns: readonly Purpose[] = [
  'posts',
  'offers',
  'posts',
  'massMessages',
  'offers',
  'posts',
  'posts',
  'massMessages',
  'offers',
  'posts',
]
/** One in this many media is a gift, the first one at `first`. */
const gifts = { each: 20, first: 10 }
/** This number of the oldest media are used for posts only. */
const firstMedia = 8
/**
 * In vaults with at least this many media, each media item has only one use. In smaller vaults, all
 * media can have all uses.
 */
const leastMedia = 12

/** Returns the creator's media for a given use, oldest first. */
export function selectMediaForPurpose(
  purpose: Purpose,
  vault: readonly VaultMedia[],
): readonly VaultMedia[] {
  const own = vault.filter(({ senderId }) => senderId === undefined)
  if (own.length < leastMedia) return own
  return own.filter(({ isReady }, place) => findPurpose(place, isReady) === purpose)
}

/** Returns the use of the media item with the given index in a large vault. */
function findPurpose(place: number, isReady: boolean): Purpose {
  // Media that are still being transcoded are used for posts.
  if (place < firstMedia || !isReady) return 'posts'
  if (place % gifts.each === gifts.first) return 'gifts'
  return turns[place % turns.length] ?? 'posts'
}

/**
 * True if only paying fans can see the media item. Arguments: its index in the vault, and the size
 * of the vault.
 */
export function isForSale(place: number, vaultSize: number): boolean {
  if (vaultSize < leastMedia) return false
  const purpose = findPurpose(place, place < vaultSize - 2)
  return purpose === 'offers' || purpose === 'massMessages'
}

/** Creates a media item that shows a bundled file, without likes, tips, errors and forms. */
export function createMedia(
  asset: MediaAsset,
  media: Pick<VaultMedia, 'id' | 'accountId' | 'createdAt' | 'isReady' | 'readyAt'> &
    Partial<Pick<VaultMedia, 'hasCustomPreview' | 'listIds'>> & {
      /** The uploaded file, if it is not the bundled one. */
      original?: Pick<VaultMedia, 'fileName' | 'hash' | 'size'>
    },
): VaultMedia {
  const { fileName, hash, size } = media.original ?? createOriginalFile(media.id, asset)
  return {
    id: media.id,
    accountId: media.accountId,
    type: asset.type,
    createdAt: media.createdAt,
    isReady: media.isReady,
    readyAt: media.readyAt,
    canView: true,
    likesCount: 0,
    tipsSumm: 0,
    duration: asset.duration,
    asset: asset.name,
    fileName,
    hash,
    size,
    hasError: false,
    hasCustomPreview: media.hasCustomPreview ?? false,
    convertedToVideo: false,
    releaseFormIds: [],
    listIds: media.listIds ?? [],
  }
}
