import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'

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
export const FinishedUpload = z.lazy(() =>
  markAsInferred(
    z.object({
      success: z.literal(true),
      location: z
        .url()
        .describe('Storage URL on the platform. The sandbox does not serve this URL.'),
    }),
  ),
)
