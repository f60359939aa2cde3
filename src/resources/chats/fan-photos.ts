import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import { minuteMs, toIso } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { fileOf } from '../vault/files.ts'

/** Topics of the pictures that fans send. */
const topics = ['dog', 'cat', 'dinner', 'coffee', 'travel', 'city', 'books']

/** The pictures that fans send. */
const pictures = mediaManifest.filter(
  (asset) => asset.type === 'photo' && asset.topics.some((topic) => topics.includes(topic)),
)

/**
 * Adds a photo that a fan sends, and returns its id. The photo is not shown in the account's vault.
 */
export function drawFanPhoto(
  seeding: Seeding,
  account: Account,
  { fanId, at }: { fanId: number; at: number },
): number {
  const asset = seeding.random.pick(pictures.length === 0 ? mediaManifest : pictures) as MediaAsset
  const id = seeding.nextId('vaultMedia')
  const made = at - minuteMs
  seeding.rows.vaultMedia.push({
    id,
    accountId: account.id,
    type: asset.type,
    createdAt: toIso(made),
    isReady: true,
    readyAt: toIso(Math.min(at, made + seeding.transcodingMs)),
    canView: true,
    likesCount: 0,
    tipsSumm: 0,
    duration: asset.duration,
    asset: asset.name,
    ...fileOf(id, asset),
    fileName: `IMG_${String(1000 + (id % 9000))}.jpg`,
    hasError: false,
    hasCustomPreview: false,
    convertedToVideo: false,
    releaseFormIds: [],
    listIds: [],
    senderId: fanId,
  })
  return id
}
