import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import { minuteMs, toIsoTime } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createOriginalFile } from '../vault/files.ts'
import type { Facts } from './fan-facts.ts'

/** The pictures of pets that fans send, by kind of pet. */
const pets: Readonly<Record<string, readonly string[]>> = {
  dog: ['dog-park', 'porch-dog'],
  puppy: ['dog-park', 'porch-dog'],
  cat: ['cat-sofa', 'cat-window'],
}

/** The pictures that fans send, with the pattern that their message must match. */
const subjects: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bpancakes\b/i, ['pancakes']],
  [/\b(pasta|gnocchi)\b/i, ['pasta-bowl', 'pasta-pot']],
  [/\b(soup|ramen)\b/i, ['soup-evening']],
  [/\b(stew|chili|goulash|curry)\b/i, ['stew-bowl']],
  [/\bcake\b/i, ['birthday-cake', 'lemon-cake']],
  [/\b(bread|toast)\b/i, ['bread-loaf', 'bread-slices']],
  [/\bcoffee\b/i, ['coffee-latte', 'coffee-window']],
  [/\bcycling\b/i, ['bike-sunset', 'mountain-bike']],
  [/\b(coast|island|beach)\b/i, ['sea-palms', 'sea-parasol', 'sea-lighthouse']],
  [/\b(mountains|hiking|climbing)\b/i, ['mountain-lake', 'mountain-dawn']],
  [/\b(the lake|kayaking|rowing)\b/i, ['mountain-lake']],
  [/\b(the woods|the cabin)\b/i, ['forest-autumn', 'forest-spring']],
  [/\bmedal\b/i, ['race-medals']],
  [/\bsnow\b/i, ['cabin-winter']],
  [/\b(rain|raining)\b/i, ['rain-window', 'city-umbrellas']],
  [/\b(tram|the bus)\b/i, ['city-tram']],
]

const photos: ReadonlyMap<string, MediaAsset> = new Map(
  mediaManifest.map((asset) => [asset.name, asset]),
)

/** Returns the names of the pictures that fit a fan's message. */
export function findMatchingPhotos(text: string, facts: Facts): readonly string[] {
  const pet = facts.get('petname')?.toLowerCase()
  if (pet !== undefined && text.toLowerCase().includes(pet))
    return pets[facts.get('pet') ?? ''] ?? []
  return subjects.find(([word]) => word.test(text))?.[1] ?? []
}

/**
 * Adds a photo that a fan sends, and returns its id. The photo is not shown in the account's vault.
 */
export function addFanPhoto(
  seeding: Seeding,
  account: Account,
  { fanId, at, name }: { fanId: number; at: number; name: string },
): number | undefined {
  const asset = photos.get(`photo-${name}`)
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
