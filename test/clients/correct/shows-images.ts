// Shows each image twice, and requests the item again if the image link fails.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const vault = `/v1/${service.account}/vault/media`
  const show = async (id: number, link: string, attempt = 1): Promise<void> => {
    const { ok, status } = await service.fetch(link)
    if (ok) return
    if (attempt === 4) throw new Error(`image ${id}: ${status}`)
    const { data } = await api.get(`${vault}/${id}?refresh=true`)
    await show(id, data.files.thumb.url, attempt + 1)
  }
  for (const { id, files } of (await api.get(`${vault}?limit=3`)).data.list)
    for (let time = 0; time < 2; time += 1) await show(id, files.thumb.url)
}) satisfies Client
