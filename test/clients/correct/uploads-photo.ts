// Uploads a photo to its signed URL, without sending the key, and finds it in the vault.
import { createApiClient, RequestError, sleep } from '../api.ts'
import type { Client } from '../api.ts'

const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/beach.jpg'

export default (async (service) => {
  const api = createApiClient(service)
  const path = `/v1/${service.account}`
  const listProcessing = async (): Promise<number[]> =>
    (await api.list(`${path}/vault/media/processing`)).map(({ id }) => id)
  const before = await listProcessing()
  // Repeating this request is as safe as repeating a read, because unused URLs expire.
  const file = { key, contentType: 'image/jpeg', parts: 1 }
  const { url } = (await api.query(`${path}/upload/signed/create`, file)).data
  const put = async (attempt = 1): Promise<void> => {
    const body = new Uint8Array([0xff, 0xd8, 0xff])
    const response = await service.fetch(url, { method: 'PUT', body }).catch(() => undefined)
    if (response?.ok === true) return
    if (attempt === 4) throw new RequestError('PUT', response?.status ?? 0)
    await sleep(500 * 2 ** attempt)
    await put(attempt + 1)
  }
  await put()
  const added = (await listProcessing()).filter((id) => !before.includes(id))
  if (added.length !== 1) throw new Error('not uploaded once')
}) satisfies Client
