// Sends the API key to the signed URL of an upload.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

const name = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/beach.jpg'

export default (async (service) => {
  const { key, account, fetch } = service
  const file = { key: name, contentType: 'image/jpeg', parts: 1 }
  const { data } = await createApiClient(service).query(`/v1/${account}/upload/signed/create`, file)
  const { ok, status } = await fetch(data.url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array([0xff, 0xd8, 0xff]),
  })
  if (!ok) throw new Error(`upload: ${status}`)
}) satisfies Client
