import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso } from '../../engine/time.ts'
import { apiError, invalidParameter } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import { addUpload } from '../vault/media.ts'
import type { MediaType } from '../vault/vault.table.ts'
import type { Upload } from './uploads.table.ts'

/** How long the addresses of an upload take bytes, seconds. */
export const uploadLifetimeSeconds = 3600

/** What a caller says of a file. */
export interface NewUpload {
  key: string
  parts: number
  contentType: string
  isSecure: boolean
}

/** A part as the caller reports it. */
export interface FinishedPart {
  ETag: string
  PartNumber: number
}

const types: readonly (readonly [MediaType, RegExp, RegExp])[] = [
  ['gif', /^image\/gif$/, /\.gif$/i],
  ['photo', /^image\/(jpeg|jpg|png|webp|heic|heif)$/, /\.(jpe?g|png|webp|heic|heif)$/i],
  ['video', /^video\/[\w.+-]+$/, /\.(mp4|mov|m4v|webm|avi|mkv|mpe?g|wmv)$/i],
  ['audio', /^audio\/[\w.+-]+$/, /\.(mp3|m4a|wav|ogg|aac|flac)$/i],
]

/** Begins an upload. @throws {ApiError} parameter_invalid for a file that is no photo, video, GIF or audio. */
export function createUpload(world: World, account: Account, { key, parts, contentType, isSecure }: NewUpload): Upload {
  const [named = ''] = contentType.toLowerCase().split(';')
  const isUnnamed = named.trim() === 'application/octet-stream'
  const type = types.find(([, content, extension]) => (isUnnamed ? extension.test(key) : content.test(named.trim())))?.[0]
  if (type === undefined) {
    throw invalidParameter(
      'Body field',
      'contentType',
      contentType,
      'it must be that of a photo, video, GIF or audio file, or application/octet-stream with such a file name in the key',
    )
  }
  return world.db.uploads.insert({
    id: world.random.uuid(),
    accountId: account.id,
    key,
    type,
    isSecure,
    partCount: parts,
    received: [],
    createdAt: world.clock.iso(),
    mediaId: null,
  })
}

/** Where each part is to be put. */
export function addressesOf(world: World, { id, partCount }: Upload): string[] {
  return Array.from({ length: partCount }, (_, index) => `${world.baseUrl}/upload/${world.id}/${id}/${index + 1}`)
}

/** Takes the bytes of a part, again if need be, and returns their ETag. The only part of a file finishes it. @throws {ApiError} upload_address_unknown, upload_expired, upload_empty */
export function receivePart(world: World, address: { worldId: string; uploadId: string; number: number }, bytes: Uint8Array): string {
  const upload = world.db.uploads.get(address.uploadId)
  if (upload === undefined || address.worldId !== world.id || address.number < 1 || address.number > upload.partCount)
    throw apiError('upload_address_unknown')
  const etag = bytesToHex(md5(bytes))
  // A client that did not hear the answer sends the same bytes again.
  if (upload.mediaId !== null && upload.received.some((part) => part.number === address.number && part.etag === etag)) return etag
  if (upload.mediaId !== null) throw apiError('upload_address_unknown')
  if (world.clock.now() >= fromIso(upload.createdAt) + uploadLifetimeSeconds * 1000) throw apiError('upload_expired')
  if (bytes.length === 0) throw apiError('upload_empty')
  const others = upload.received.filter(({ number }) => number !== address.number)
  const received = [...others, { number: address.number, etag, size: bytes.length }].toSorted((a, b) => a.number - b.number)
  const held = world.db.uploads.update(upload.id, { received })
  if (held.partCount === 1) keep(world, held, etag)
  return etag
}

/** Puts the parts together into a media of the vault. @throws {ApiError} upload_unknown, parameter_invalid when a part is missing, repeated or not the one that came. */
export function finishUpload(
  world: World,
  account: Account,
  { key, uploadId, parts, isSecure }: { key: string; uploadId: string; parts: readonly FinishedPart[]; isSecure: boolean },
): string {
  const upload = world.db.uploads.get(uploadId)
  if (upload?.accountId !== account.id || upload.key !== key || upload.isSecure !== isSecure || upload.mediaId !== null) {
    throw apiError('upload_unknown', { upload_id: uploadId.slice(0, 80), account_id: account.id })
  }
  if (parts.length !== upload.partCount || parts.some(({ PartNumber }, index) => PartNumber !== index + 1)) {
    throw invalidParameter('Body field', 'parts', parts, `it must list the parts 1 to ${upload.partCount} in order, each once`)
  }
  for (const [index, { ETag, PartNumber }] of parts.entries()) {
    const came = upload.received.find(({ number }) => number === PartNumber)
    if (came?.etag === unquote(ETag)) continue
    throw invalidParameter(
      'Body field',
      `parts.${index}.ETag`,
      ETag,
      came === undefined ? `part ${PartNumber} has not been put yet` : 'it must be the ETag that the PUT of the part answered',
    )
  }
  const digest = bytesToHex(md5(concatBytes(...upload.received.map(({ etag }) => hexToBytes(etag)))))
  keep(world, upload, `${digest}-${upload.partCount}`)
  return `https://${isSecure ? 'secure-upload' : 'upload'}.platform.example/${key.split('/').map(encodeURIComponent).join('/')}`
}

function keep(world: World, { id, accountId, key, type, received }: Upload, hash: string): void {
  const size = received.reduce((sum, part) => sum + part.size, 0)
  const media = addUpload(world, accountId, { type, fileName: key.split('/').at(-1) ?? key, hash, size })
  world.db.uploads.update(id, { mediaId: media.id })
}

function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}
