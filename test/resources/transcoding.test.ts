import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

/** Returns a media item that is being transcoded, and the ids of ready ones. */
function findMedia(client: Client) {
  const accountId = client.account()
  const media = client.db.vaultMedia.where({ accountId })
  const waiting = media.find(({ isReady }) => !isReady)!
  const ready = idsOf(media.filter(({ isReady, canView }) => isReady && canView))
  return { waiting, ready, wait: () => client.sandbox.clock.advance('1m') }
}

interface Shown {
  id: number
  canView: boolean
  isReady: boolean
  files: Record<string, { url: string }>
}

describe('media that are being transcoded', () => {
  it('are shown as not ready everywhere, and their links work', async () => {
    const client = await openClient('agency')
    const { waiting, wait } = findMedia(client)
    const content = { text: 'New', mediaFiles: [waiting.id] }
    const post = await client.postData('posts', content)
    const fanId = client.db.chats.find({ accountId: waiting.accountId })!.fanId
    const message = await client.postData(`chats/${fanId}/messages`, content)
    const story = client.db.stories.find({ accountId: waiting.accountId })!
    client.db.stories.update(story.id, { mediaFiles: [waiting.id], viewersCount: 1_000_000 })
    const views: Record<string, () => Promise<Shown>> = {
      'vault item': () => client.getData(`vault/media/${waiting.id}`),
      'vault list': async () =>
        (await client.getData('vault/media')).list.find(({ id }: Shown) => id === waiting.id),
      post: async () => (await client.getData(`posts/${post.id}`)).media[0],
      message: async () => (await client.getData(`chats/${fanId}/messages/${message.id}`)).media[0],
      story: async () => (await client.getData('engagement/stories/views')).items[0].media[0],
    }
    const look = async () => {
      const seen = []
      for (const [name, view] of Object.entries(views)) {
        const { id, canView, isReady, files } = await view()
        const { status } = await client.get(files['thumb']!.url, { key: null })
        seen.push([name, id, canView, isReady, status])
      }
      return seen
    }
    expect(await look()).toEqual(
      Object.keys(views).map((name) => [name, waiting.id, false, false, 200]),
    )
    wait()
    expect(await look()).toEqual(
      Object.keys(views).map((name) => [name, waiting.id, true, true, 200]),
    )
  })

  it('change their state everywhere at once, even if a ready item is posted or sent again', async () => {
    const client = await openClient('agency')
    const { ready, wait } = findMedia(client)
    const id = ready[0]!
    const fanId = client.db.chats.find({ accountId: client.account() })!.fanId
    const content = { text: 'Old', mediaFiles: [id] }
    const old = (await client.postData('posts', content)).id
    const sent = (await client.postData(`chats/${fanId}/messages`, content)).id
    wait()
    const look = async () => {
      const processing = (await client.getData('vault/media/processing')).list
      const post = await client.getData(`posts/${old}`)
      const message = await client.getData(`chats/${fanId}/messages/${sent}`)
      const item = await client.getData(`vault/media/${id}`)
      const shown = [item, post.media[0], message.media[0]]
      const states = shown.flatMap(({ isReady, canView }) => [isReady, canView])
      const isDone = !processing.some((each: Shown) => each.id === id)
      return [...states, post.isMediaReady, message.isMediaReady, isDone]
    }
    const all = (isReady: boolean) => Array.from({ length: 9 }, () => isReady)
    const acts = {
      posts: () => client.post('posts', content),
      messages: () => client.post(`chats/${fanId}/messages`, content),
      'mass messages': () => client.post('mass-messages', { ...content, userIds: [fanId] }),
    }
    for (const [name, act] of Object.entries(acts)) {
      expect([name, await look()]).toEqual([name, all(true)])
      expect((await act()).status).toBe(200)
      expect([name, await look()]).toEqual([name, all(false)])
      wait()
    }
    expect(await look()).toEqual(all(true))
  })

  it('delay a post and an edit that adds media, but not an edit that removes them', async () => {
    const client = await openClient('agency')
    const { waiting, ready, wait } = findMedia(client)
    const [one, two] = ready
    const make = async (body: object) =>
      (await client.postData('posts', { text: 'New', ...body })).id as number
    const isReady = async (id: number) => {
      const { isMediaReady, media } = await client.getData(`posts/${id}`)
      return [isMediaReady, media.map((each: Shown) => each.isReady)]
    }
    const put = (id: number, mediaFiles: unknown[]) => client.put(`posts/${id}`, { mediaFiles })
    const emptied = await make({ mediaFiles: [one] })
    expect(await isReady(emptied)).toEqual([false, [false]])
    await put(emptied, [])
    expect(await isReady(emptied)).toEqual([true, []])
    const grown = await make({})
    expect(await isReady(grown)).toEqual([true, []])
    await put(grown, [two, waiting.id])
    expect(await isReady(grown)).toEqual([false, [false, false]])
    wait()
    expect(await isReady(grown)).toEqual([true, [true, true]])
    await put(grown, [two, waiting.id, one])
    expect(await isReady(grown)).toEqual([false, [true, true, false]])
    wait()
    await put(grown, [one, two])
    expect(await isReady(grown)).toEqual([true, [true, true]])
    const bereft = await make({ mediaFiles: [two] })
    await client.delete(`vault/media/${two}`)
    expect(await isReady(bereft)).toEqual([true, []])
  })

  it('stay so in everything until the action media.ready, but new uploads become ready', async () => {
    const client = await openClient('everything')
    const { sandbox } = client
    const list = async (account: number) =>
      idsOf<number>((await client.getData(`/v1/${account}/vault/media/processing`)).list)
    const [account, onePage, oneMore] = [410_000_000, 410_000_110, 410_000_111]
    const seeded = await list(account)
    expect(seeded).toEqual([3_846_000_030])
    expect(await list(onePage)).toHaveLength(2)
    expect(await list(oneMore)).toHaveLength(2)

    const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/clip.mp4'
    const upload = { key, parts: 1, contentType: 'video/mp4' }
    const { url } = await client.postData(`/v1/${account}/upload/signed/create`, upload)
    await sandbox.fetch(url, { method: 'PUT', body: new Uint8Array(9) })
    expect(await list(account)).toHaveLength(2)
    // Includes the sending of a queued mass message that contains the item.
    sandbox.clock.advance('10d')
    await client.post(`/v1/${account}/posts`, { text: 'New', mediaFiles: seeded })
    sandbox.clock.advance('1m')
    expect(await list(account)).toEqual(seeded)
    expect(await list(onePage)).toHaveLength(2)
    expect(await list(oneMore)).toHaveLength(2)

    sandbox.act({ type: 'media.ready', account_id: account })
    expect(await list(account)).toEqual([])
    await client.post(`/v1/${account}/posts`, { text: 'New', mediaFiles: seeded })
    expect(await list(account)).toEqual(seeded)
    sandbox.clock.advance('1m')
    expect(await list(account)).toEqual([])
  })
})

describe('video sources', () => {
  it('use the same rendition in the vault, on the leaderboard and in messages', async () => {
    const client = await openClient('agency')
    const accountId = client.account()
    const video = client.db.vaultMedia.find({ accountId, type: 'video', isReady: true })!
    const mediaFiles = [video.id]
    const post = client.db.posts.find({ accountId, status: 'published' })!
    const figures = { mediaTypes: ['video' as const], lookCount: 10_000_000 }
    client.db.posts.update(post.id, { mediaFiles, ...figures })
    const { fanId } = client.db.chats.find({ accountId })!
    const sent = await client.postData(`chats/${fanId}/messages`, { text: 'Look', mediaFiles })
    const inVault = await client.getData(`vault/media/${video.id}?refresh`)
    const onLeaderboard = (await client.getData('engagement/posts/views')).items[0].media[0]
    const inMessage = (await client.getData(`chats/${fanId}/messages/${sent.id}`)).media[0]
    for (const { id, videoSources, files } of [inVault, onLeaderboard, inMessage]) {
      expect([id, videoSources]).toEqual([video.id, { 240: files.full.url, 720: files.full.url }])
    }
  })
})
