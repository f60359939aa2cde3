import { z } from 'zod'
import {
  markAsInferred,
  createTextSchema,
  createQueryValueSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { UploadedFile } from '../../api/file.ts'
import { HeadersResponse } from '../../api/route.ts'
import type { SendExampleRequest } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import {
  listPartUrls,
  createUpload,
  finishUpload,
  receivePart,
  requireUpload,
  uploadLifetimeSeconds,
} from './uploads.ts'

const uuid = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/

/** The key of an upload. */
export const UploadKey = z
  .string()
  .max(500)
  .regex(new RegExp(String.raw`^upload/${uuid.source}/[0-9]{12}/[^/\\]+$`), {
    error: 'it must be upload/{uuid}/{12 digits}/{file name}',
  })
  .refine((key) => !/\p{Surrogate}/u.test(key), {
    error: 'it must be well-formed Unicode, without a lone surrogate',
  })
  .meta({ examples: ['upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'] })

/** URLs to which the client sends the parts of an upload with PUT. They are not media links. */
export const SignedUpload = z.lazy(() =>
  markAsInferred(
    z.union([
      z.object({ url: z.url().describe('URL to PUT the file to.') }),
      z.object({
        uploadId: z.string(),
        keys: z.array(z.url()).describe('URLs to PUT the parts to, in order.'),
      }),
    ]),
  ),
)

/** The response to a finished upload. */
export const FinishedUpload = lazyInferredObject(() => ({
  success: z.literal(true),
  location: z.url().describe('Storage URL on the platform. The sandbox does not serve this URL.'),
}))

const defineRoute = createRouteDefiner({
  group: 'Media Upload',
  source: 'published',
  evidence: 'names in the response by analogy',
})
const secure = () =>
  z
    .boolean()
    .default(false)
    .describe(
      'True: the secure-upload bucket. False: the upload bucket. Send the same value when ' +
        'you create and finish the upload.',
    )
const maxParts = 1000

const createRoute = defineRoute({
  id: 'POST /v1/:account_id/upload/signed/create',
  permission: 'api_media_upload_signed_create',
  summary: 'Get signed URLs to upload a file to',
  // Not secret: the key is the name of the file in the storage.
  plainFields: ['key'],
  rules: [
    'For a single part, the response contains url. For several parts, it contains uploadId ' +
      'and one URL for each part in keys.',
    'The URLs are not media links. PUT the bytes to them without a key, within ' +
      `${uploadLifetimeSeconds / 60} minutes.`,
    'contentType determines the type of the media. For application/octet-stream, the file ' +
      'name in the key determines the type.',
  ],
  body: () =>
    z.object({
      key: UploadKey,
      parts: z.int().min(1).max(maxParts),
      contentType: z.string().min(1).max(200),
      secure: secure(),
    }),
  data: SignedUpload,
  handle({ world, account, body }) {
    const upload = createUpload(world, account, {
      key: body.key,
      parts: body.parts,
      contentType: body.contentType,
      isSecure: body.secure,
    })
    const [url = '', ...others] = listPartUrls(world, upload)
    return others.length === 0 ? { url } : { uploadId: upload.id, keys: [url, ...others] }
  },
})

const finishRoute = defineRoute({
  id: 'POST /v1/:account_id/upload/signed/finish',
  permission: 'api_media_upload_signed_finish',
  summary: 'Finish a multipart upload',
  errors: ['upload_unknown'],
  // Not secret: the key is the name of the file in the storage.
  plainFields: ['key'],
  rules: [
    'The file becomes a media item in the vault, in the list Uploads. The item is ready after ' +
      'the transcoding time.',
    'The real service needs a separate conversion step before the media appears. The sandbox ' +
      'converts the file automatically.',
    "The hash of the item is the multipart ETag: the MD5 of the parts' MD5s, a hyphen, and " +
      'the number of parts.',
    'parts must contain each part once, in order, with the ETag from the response to its PUT. ' +
      'Returns 404 if the upload is unknown, already finished, or has another key or bucket.',
  ],
  body: () =>
    z.object({
      key: UploadKey,
      uploadId: z.string().max(200),
      parts: z
        .array(z.object({ ETag: z.string().max(200), PartNumber: z.int().min(1).max(maxParts) }))
        .min(1)
        .max(maxParts),
      secure: secure(),
    }),
  data: FinishedUpload,
  handle({ world, account, body }) {
    const location = finishUpload(world, account, {
      key: body.key,
      uploadId: body.uploadId,
      parts: body.parts,
      isSecure: body.secure,
    })
    return { success: true as const, location }
  },
  async prepareExample({ account, ask }) {
    const { uploadId, keys } = await beginUpload(ask, account, 2)
    const parts = []
    for (const [index, address] of keys.entries()) {
      const { headers } = await ask(z.null(), { method: 'PUT', address, body: someBytes })
      parts.push({ ETag: headers['etag'], PartNumber: index + 1 })
    }
    return { body: { key: someKey, uploadId, parts } }
  },
})

const putPart = defineRoute({
  id: 'PUT /upload/:world/:upload_id/:part_number',
  permission: null,
  kind: 'service',
  source: 'inferred',
  evidence: "the sandbox replaces the storage behind the service's signed URLs",
  summary: 'Upload the bytes of one part to its signed URL',
  errors: ['upload_address_unknown', 'upload_expired', 'upload_empty'],
  rules: [
    'Needs no key. You can repeat the PUT until the upload is finished or the URL expires.',
    'The PUT of a single-part upload also finishes the upload. The media item is in the ' +
      'vault immediately, but still being processed. The hash of the item is the MD5 of the ' +
      'bytes. The real service needs a separate conversion step first. The sandbox converts ' +
      'the file automatically.',
    'The sandbox counts and hashes the bytes, but does not store them. It serves a bundled ' +
      'file of the same type instead.',
  ],
  accessChecks: 'none',
  worldId: ({ params }) => params['world'],
  fileLimit: 64 * 1024 * 1024,
  params: () =>
    z.object({
      world: createTextSchema(100),
      upload_id: createTextSchema(100),
      part_number: createQueryValueSchema(
        'it must be an integer',
        { type: 'integer', minimum: 1, maximum: maxParts, examples: [1] },
        readPartNumber,
      ),
    }),
  admit(
    world,
    { params: { world: worldId = '', upload_id: uploadId = '', part_number: text = '' } },
  ) {
    const number = readPartNumber(text)
    // The schema rejects values that are not numbers. This check skips them.
    if (number !== undefined) requireUpload(world, { worldId, uploadId, number })
  },
  body: () => z.instanceof(UploadedFile),
  data: null,
  handle({ world, params, body }) {
    const etag = receivePart(
      world,
      { worldId: params.world, uploadId: params.upload_id, number: params.part_number },
      body,
    )
    return new HeadersResponse({ etag: `"${etag}"` })
  },
  async prepareExample({ account, ask }) {
    const { keys } = await beginUpload(ask, account, 2)
    const [, world, upload_id, part_number] =
      /\/upload\/([^/]+)\/([^/]+)\/(\d+)$/.exec(keys[0] ?? '') ?? []
    return { address: { world, upload_id, part_number: Number(part_number) }, body: someBytes }
  },
})

const someKey = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'
const someBytes = new Uint8Array([0xff, 0xd8, 0xff, 0xd9])

/** Starts an upload in several parts for the examples. Returns its id and the paths of its URLs. */
async function beginUpload(
  ask: SendExampleRequest,
  account: number,
  parts: number,
): Promise<{ uploadId: string; keys: string[] }> {
  const { data } = await ask(z.object({ uploadId: z.string(), keys: z.array(z.url()) }), {
    method: 'POST',
    address: `/v1/${account}/upload/signed/create`,
    body: { key: someKey, parts, contentType: 'image/jpeg' },
  })
  return { uploadId: data.uploadId, keys: data.keys.map((address) => new URL(address).pathname) }
}

export const uploadRoutes = [createRoute, finishRoute, putPart]

function readPartNumber(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined
}
