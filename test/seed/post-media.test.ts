import { expect, it } from 'vitest'
import { mediaManifest } from '../../src/generated/media-manifest.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { scoreTopicMatch } from '../../src/resources/media/topics.ts'
import { getSeason, toLocalDate } from '../../src/seed/local-time.ts'
import { createFreshSandbox } from '../support/client.ts'

const assets = new Map(mediaManifest.map((asset) => [asset.name, asset]))

it('uses media that fit the topic and the season', async () => {
  const { db } = await createFreshSandbox('agency', { seed: 11 })
  const strange: string[] = []
  for (const account of db.accounts.all()) {
    const creator = (await shippedPersonas[account.persona]!()).default
    for (const { mediaFiles, topic, postedAt, isStream, id } of db.posts.where({
      accountId: account.id,
    })) {
      // A post with a plain caption has no topic.
      if (topic === '') continue
      const season = getSeason(toLocalDate(creator, Date.parse(postedAt)))
      for (const asset of mediaFiles.map((file) => assets.get(db.vaultMedia.get(file)!.asset)!)) {
        const isReady = mediaFiles.every((file) => db.vaultMedia.get(file)!.isReady)
        const seasons = asset.topics.filter((tag) =>
          ['winter', 'spring', 'summer', 'autumn'].includes(tag),
        )
        const fits = scoreTopicMatch(asset, creator.topics[topic]?.pictures ?? []) > 0
        if (isReady && !isStream && (!fits || (seasons.length > 0 && !seasons.includes(season)))) {
          strange.push(`${account.username} ${id}: ${topic} in ${season}, ${asset.name}`)
        }
      }
    }
  }
  expect(strange).toEqual([])
})
