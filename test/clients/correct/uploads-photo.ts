// Uploads a photo, without the key, and reads it in the vault.
import { openApi } from '../api.ts'
import type { Client } from '../api.ts'

const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/beach.jpg'

export default (async (service) => {
  const api = openApi(service)
  const { account, fetch } = service
  const file = { key, contentType: 'image/jpeg', parts: 1 }
  const { data } = await api.post(`/v1/${account}/upload/signed/create`, file)
  const stored = await fetch(data.url, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array([0xff, 0xd8, 0xff]),
  })
  if (!stored.ok) throw new Error(`upload: ${stored.status}`)
  const [latest] = (await api.get(`/v1/${account}/vault/media/processing`)).data.list
  await api.get(`/v1/${account}/vault/media/${latest.id}`)
}) satisfies Client
