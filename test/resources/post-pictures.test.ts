import { expect, it } from 'vitest'
import { mediaManifest } from '../../src/generated/media-manifest.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { createFreshSandbox } from '../support/client.ts'

const assets = new Map(mediaManifest.map((asset) => [asset.name, asset]))

it('uses no picture more than five times in a hundred posts of an account', async () => {
  for (const seed of [5, 7, 99]) {
    const { db } = await createFreshSandbox('agency', { seed })
    for (const { id } of db.accounts.all()) {
      const posts = db.posts
        .all()
        .filter(({ accountId }) => accountId === id)
        .toSorted((a, b) => (a.postedAt < b.postedAt ? -1 : 1))
      const shown = posts.map(({ mediaFiles }) =>
        mediaFiles.map((media) => db.vaultMedia.get(media)!.asset),
      )
      for (let from = 0; from === 0 || from + 100 <= shown.length; from += 10) {
        const counts = new Map<string, number>()
        for (const asset of shown.slice(from, from + 100).flat())
          counts.set(asset, (counts.get(asset) ?? 0) + 1)
        expect({ id, from, most: Math.max(...counts.values()) > 5 }).toEqual({
          id,
          from,
          most: false,
        })
      }
    }
  }
})

it("shows photos that fit the persona's topics", async () => {
  const { db } = await createFreshSandbox('agency')
  for (const account of db.accounts.all()) {
    const { topics } = (await shippedPersonas[account.persona]!()).default
    const tags = Object.values(topics).flatMap(({ pictures }) => pictures)
    const photos = db.vaultMedia
      .all()
      .filter(
        ({ accountId, type, senderId }) =>
          accountId === account.id && type === 'photo' && senderId === undefined,
      )
    const strange = photos.filter(
      ({ asset }) => !assets.get(asset)!.topics.some((topic) => tags.includes(topic)),
    )
    expect({ username: account.username, strange }).toEqual({
      username: account.username,
      strange: [],
    })
  }
})
