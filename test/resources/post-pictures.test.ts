import { expect, it } from 'vitest'
import { mediaManifest } from '../../src/generated/media-manifest.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { createFreshSandbox } from '../support/client.ts'

const assets = new Map(mediaManifest.map((asset) => [asset.name, asset]))

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
