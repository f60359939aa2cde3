import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { UploadedFile } from '../../api/file.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import { createApiError, truncateForMessage, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { addUploadedMedia } from '../vault/view.ts'
import type { MediaType } from '../vault/vault.table.ts'
import type { Upload } from './uploads.table.ts'
import { defineFactory } from '../define.ts'

/** Lifetime of the URLs of an upload, seconds. */
export const uploadLifetimeSeconds = 3600

/** A file to upload, as described by the client. */
export interface NewUpload {
  key: string
  parts: number
  contentType: string
  isSecure: boolean
}

/** Content of the signed URL of a part. */
export interface PartAddress {
  worldId: string
  uploadId: string
  number: number
}

/** A part of an upload, as reported by the client. */
export interface FinishedPart {
  ETag: string
  PartNumber: number
}

/** Media types, with patterns of their content types and file names. */
const fileTypes: readonly { type: MediaType; contentType: RegExp; fileName: RegExp }[] = [
  { type: 'gif', contentType: /^image\/gif$/, fileName: /\.gif$/i },
  {
    type: 'photo',
    contentType: /^image\/(jpeg|jpg|png|webp|heic|heif)$/,
    fileName: /\.(jpe?g|png|webp|heic|heif)$/i,
  },
  {
    type: 'video',
    contentType: /^video\/[\w.+-]+$/,
    fileName: /\.(mp4|mov|m4v|webm|avi|mkv|mpe?g|wmv)$/i,
  },
  { type: 'audio', contentType: /^audio\/[\w.+-]+$/, fileName: /\.(mp3|m4a|wav|ogg|aac|flac)$/i },
]

/**
 * Creates an upload.
 * @throws {ApiError} parameter_invalid for a file that is not a photo, video, GIF or audio
 */
export function createUpload(
  world: World,
  account: Account,
  { key, parts, contentType, isSecure }: NewUpload,
): Upload {
  // A content type may have parameters: `video/mp4; codecs=avc1`.
  const essence = (contentType.toLowerCase().split(';')[0] ?? '').trim()
  const isGeneric = essence === 'application/octet-stream'
  const type = fileTypes.find((each) =>
    isGeneric ? each.fileName.test(key) : each.contentType.test(essence),
  )?.type
  if (type === undefined) {
    throw createBodyFieldError(
      { contentType },
      'it must be the type of a photo, video, GIF or audio file, or application/octet-stream ' +
        'with the name of one of these files in the key',
    )
  }
  return world.db.uploads.insert({
    id: world.random.uuid(),
    accountId: account.id,
    key,
    type,
    isSecure,
    partCount: parts,
    createdAt: world.clock.iso(),
  })
}

/** Returns the URLs of the parts, in order. */
export function listPartUrls(world: World, { id, partCount }: Upload): string[] {
  return Array.from(
    { length: partCount },
    (_, index) => `${world.baseUrl}/upload/${world.id}/${id}/${index + 1}`,
  )
}

/**
 * Receives the bytes of a part and returns their ETag. A part can be sent again. If the upload has
 * only one part, finishes the upload.
 * @throws {ApiError} upload_address_unknown, upload_expired, upload_empty
 */
export function receivePart(
  world: World,
  address: PartAddress,
  { md5: etag, size }: UploadedFile,
): string {
  const upload = requireUpload(world, address)
  // Accepts the same bytes again, because the client may not have received the response.
  if (
    upload.mediaId !== null &&
    upload.received.some((part) => part.number === address.number && part.etag === etag)
  )
    return etag
  if (upload.mediaId !== null) throw createApiError('upload_address_unknown')
  if (world.clock.now() >= parseIso(upload.createdAt) + uploadLifetimeSeconds * 1000)
    throw createApiError('upload_expired')
  if (size === 0) throw createApiError('upload_empty')
  const others = upload.received.filter(({ number }) => number !== address.number)
  const received = [...others, { number: address.number, etag, size }].toSorted(
    (a, b) => a.number - b.number,
  )
  const updated = world.db.uploads.update(upload.id, { received })
  if (updated.partCount === 1) addToVault(world, updated, etag)
  return etag
}

/**
 * Returns the upload that a URL belongs to.
 * @throws {ApiError} upload_address_unknown
 */
export function requireUpload(world: World, { worldId, uploadId, number }: PartAddress): Upload {
  const upload = world.db.uploads.get(uploadId)
  if (upload === undefined || worldId !== world.id || number < 1 || number > upload.partCount)
    throw createApiError('upload_address_unknown')
  return upload
}

/**
 * Finishes an upload: creates the media item in the vault, and returns the storage URL.
 * @throws {ApiError} upload_unknown, parameter_invalid if a part is missing, repeated or has a
 * different ETag
 */
export function finishUpload(
  world: World,
  account: Account,
  {
    key,
    uploadId,
    parts,
    isSecure,
  }: { key: string; uploadId: string; parts: readonly FinishedPart[]; isSecure: boolean },
): string {
  const upload = world.db.uploads.get(uploadId)
  if (
    upload?.accountId !== account.id ||
    upload.key !== key ||
    upload.isSecure !== isSecure ||
    upload.mediaId !== null
  ) {
    throw createApiError('upload_unknown', {
      upload_id: truncateForMessage(uploadId, 80),
      account_id: account.id,
    })
  }
  if (
    parts.length !== upload.partCount ||
    parts.some(({ PartNumber }, index) => PartNumber !== index + 1)
  ) {
    throw createBodyFieldError(
      { parts },
      `it must contain the parts 1 to ${upload.partCount} in order, each once`,
    )
  }
  for (const [index, { ETag, PartNumber }] of parts.entries()) {
    const part = upload.received.find(({ number }) => number === PartNumber)
    if (part?.etag === unquote(ETag)) continue
    throw createBodyFieldError(
      { [`parts.${index}.ETag`]: ETag },
      part === undefined
        ? `part ${PartNumber} has not been uploaded yet`
        : 'it must be the ETag from the response to the PUT of the part',
    )
  }
  const digest = bytesToHex(
    md5(concatBytes(...upload.received.map(({ etag }) => hexToBytes(etag)))),
  )
  addToVault(world, upload, `${digest}-${upload.partCount}`)
  return `https://${isSecure ? 'secure-upload' : 'upload'}.platform.example/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** Adds the media item of a finished upload to the vault. */
function addToVault(
  world: World,
  { id, accountId, key, type, received }: Upload,
  hash: string,
): void {
  const size = received.reduce((sum, part) => sum + part.size, 0)
  const media = addUploadedMedia(world, accountId, {
    type,
    fileName: key.split('/').at(-1) ?? key,
    hash,
    size,
  })
  world.db.uploads.update(id, { mediaId: media.id })
}

function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}

/**
 * Fills in missing fields of uploads. By default, an upload is a photo in one part, which has not
 * been received yet.
 */
export const uploadFactory = defineFactory({
  name: 'upload',
  table: 'uploads',
  time: 'createdAt',
  complete(given, context) {
    const id = given.id ?? context.random.uuid()
    return {
      id,
      accountId: context.accountId(given),
      key: `upload/${id}/photo.jpg`,
      type: 'photo' as const,
      partCount: 1,
      createdAt: context.iso,
    }
  },
})
