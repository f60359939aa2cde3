import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { readAllIds } from '../support/read-all-pages.ts'

describe('GIFs', () => {
  it('finds GIFs by the words in their titles, twenty per page', async () => {
    const client = await openClient()
    const { data, _pagination } = (await client.get('/v1/gifs/search?q=Good%20Morn')).body
    expect(data.pagination).toEqual({ total_count: 16, count: 16, offset: 0 })
    expect(_pagination).toBeUndefined()
    for (const { title } of data.data) expect(title).toMatch(/Good Morning GIF$/)
    const happy = (await client.get('/v1/gifs/search?q=happy')).body
    expect(happy.data.data).toHaveLength(20)
    expect(happy._pagination.next_page).toBe('/v1/gifs/search?q=happy&offset=20')
  })

  it('finds every GIF for the word gif, which is in each title', async () => {
    const client = await openClient()
    const count = async (q: string) =>
      (await client.getData(`/v1/gifs/search?q=${encodeURIComponent(q)}`)).pagination.total_count
    for (const q of ['gif', 'GIF', 'gif gif']) expect(await count(q), q).toBe(1920)
    expect(await count('happy gif')).toBe(await count('happy'))
  })

  it('finds nothing if no title matches', async () => {
    const client = await openClient()
    for (const q of ['xylophonist', 'happy xylophonist', '!!!', 'gifs']) {
      expect(await client.getData(`/v1/gifs/search?q=${encodeURIComponent(q)}`)).toEqual({
        data: [],
        pagination: { total_count: 0, count: 0, offset: 0 },
      })
    }
    expect((await client.get('/v1/gifs/search?q=%20')).status).toBe(400)
  })

  it.each(['/v1/gifs/search?q=happy', '/v1/gifs/trending?'])(
    'pages %s to its end, each GIF once, with any page size',
    async (path) => {
      const client = await openClient()
      const whole = await readAllIds(client, `${path}&limit=50`, { list: 'data' })
      const { total_count } = (await client.getData(path)).pagination
      expect(new Set(whole).size).toBe(total_count)
      expect(total_count).toBeGreaterThan(100)
      expect(await readAllIds(client, `${path}&limit=7`, { list: 'data' })).toEqual(whole)
    },
  )

  it("keeps the provider's URLs", async () => {
    const client = await openClient()
    const [gif] = (await client.getData('/v1/gifs/trending?limit=1')).data
    for (const url of [
      gif.url,
      gif.embed_url,
      gif.images.original.url,
      gif.images.original_mp4.mp4,
    ])
      expect(url).toMatch(/^https:\/\/(media\.)?gifs\.example\//)
    expect(gif.images.fixed_height.height).toBe('200')
  })
})
