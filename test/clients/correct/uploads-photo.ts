// Uploads a photo to its signed address, without the key, and reads it in the vault.
import { openApi, RequestFailed, writeOnce } from '../api.ts'
import type { Client } from '../api.ts'

const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/beach.jpg'

export default (async (service) => {
  const api = openApi(service)
  const { account, fetch } = service
  const processing = async () => (await api.list(`/v1/${account}/vault/media/processing`)).length
  const before = await processing()
  const upload = async () => {
    const file = { key, contentType: 'image/jpeg', parts: 1 }
    const { data } = await api.post(`/v1/${account}/upload/signed/create`, file)
    const bytes = new Uint8Array([0xff, 0xd8, 0xff])
    const { ok, status } = await fetch(data.url, { method: 'PUT', body: bytes })
    if (!ok) throw new RequestFailed('upload', status, String(status))
  }
  await writeOnce(upload, async () => (await processing()) > before)
  if ((await processing()) !== before + 1) throw new Error('not uploaded once')
}) satisfies Client
