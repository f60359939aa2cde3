import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import { minuteMs, toIsoTime } from '../../lib/time.ts'
import type { SeedContext } from '../../seed/seeding.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createOriginalFile } from '../vault/files.ts'

const photos: ReadonlyMap<string, MediaAsset> = new Map(
  mediaManifest.map((asset) => [asset.name, asset]),
)

/**
 * Adds a photo that a fan sends, and returns its id. The photo is not shown in the account's vault.
 */
export function addFanPhoto(
  seeding: SeedContext,
  account: Account,
  { fanId, at, name }: { fanId: number; at: number; name: string },
): number | undefined {
  const asset = photos.get(name)
  if (asset === undefined) return undefined
  const id = seeding.nextId('vaultMedia')
  const made = at - minuteMs
  seeding.rows.vaultMedia.push({
    id,
    accountId: account.id,
    type: asset.type,
    createdAt: toIsoTime(made),
    isReady: true,
    readyAt: toIsoTime(Math.min(at, made + seeding.transcodingMs)),
    canView: true,
    likesCount: 0,
    tipsSumm: 0,
    duration: asset.duration,
    asset: asset.name,
    ...createOriginalFile(id, asset),
    hasError: false,
    hasCustomPreview: false,
    convertedToVideo: false,
    releaseFormIds: [],
    listIds: [],
    senderId: fanId,
  })
  return id
}
