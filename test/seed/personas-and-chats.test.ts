import { expect, it } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { mediaManifest } from '../../src/generated/media-manifest.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import { deriveFanFacts } from '../../src/resources/chats/fan-facts.ts'
import { DialogueWriter } from '../../src/resources/chats/dialogue.ts'
import { CommentWriter } from '../../src/resources/comments/writer.ts'
import { scoreTopicMatch } from '../../src/resources/media/topics.ts'
import { CaptionWriter } from '../../src/resources/posts/caption.ts'
import { listMediaConditions, createPhraseContext } from '../../src/seed/phrase-context.ts'
import { Persona } from '../../src/seed/persona.ts'
import { parsePhrase } from '../../src/seed/phrases.ts'
import { createFreshSandbox } from '../support/client.ts'

const noon = Date.parse('2026-03-11T12:00:00Z')
const assets = new Map(mediaManifest.map((asset) => [asset.name, asset]))
const persona = Persona.parse({
  trade: 'Beekeeper',
  voice: 'Slow',
  city: 'Bled',
  about: 'Forty hives.',
  topics: { hives: { pictures: ['bees'] } },
  captions: { hives: { brief: ['(audio) Listen to them.', 'Look at them.', 'Forty of them.'] } },
  comments: {
    hives: [
      { about: 'queen', says: 'Long live the queen', answer: 'She thanks you.' },
      '(photo) that light',
    ],
  },
  dates: { '03-11': ['The day of the bee.'] },
})
const texts = {
  captions: seedTexts.captions,
  comments: { ...seedTexts.comments, any: ['Nice', 'Good'], languages: {} },
}

it('writes captions for audio', () => {
  const writer = new CaptionWriter(new Random(1), { texts, persona })
  const write = (...media: string[]) =>
    writer
      .write({ context: createPhraseContext(persona, noon), topic: 'hives', media })
      .text.replaceAll(/<.strong>|<strong>/g, '')
  const ofAudio = new Set(Array.from({ length: 40 }, () => write('audio')))
  expect(ofAudio).toEqual(new Set(['<p>Listen to them.</p>', '']))
  expect(new Set(Array.from({ length: 20 }, () => write('photo')))).not.toContain(
    '<p>Listen to them.</p>',
  )
})

it('writes a caption about a date once, and on no other day', () => {
  const writer = new CaptionWriter(new Random(3), { texts, persona })
  const said = Array.from({ length: 20 }, () =>
    writer.writeOfDate(createPhraseContext(persona, noon)),
  ).filter((text) => text !== undefined)
  expect(said).toEqual(['<p>The day of the bee.</p>'])
  expect(writer.writeOfDate(createPhraseContext(persona, noon + 86_400_000))).toBeUndefined()
})

it(
  'writes comments about words only if the caption has them, about pictures only if there are ' +
    'any, without repetition',
  () => {
    const writer = new CommentWriter(new Random(2), { texts, persona })
    const under = (rawText: string, ...media: string[]) => {
      const write = writer.createPostCommentWriter({ topic: 'hives', rawText })
      return Array.from({ length: 30 }, () =>
        write(createPhraseContext(persona, noon, listMediaConditions(media))),
      )
    }
    const queen = under('The Queen came out.')
    expect(queen).toContainEqual({ text: 'Long live the queen', reply: 'She thanks you.' })
    expect(queen.map(({ text }) => text)).not.toContain('That light')
    const plain = under('Forty hives.', 'photo').map(({ text }) => text)
    expect(plain).toContain('That light')
    expect(plain).not.toContain('Long live the queen')
    expect(new Set(plain.slice(0, 3)).size).toBe(3)
  },
)

it('starts each scene of a chat with different words', () => {
  const writer = new DialogueWriter(new Random(4), { texts: seedTexts, persona })
  const heard = new Set<unknown>()
  const openers = Array.from(
    { length: 40 },
    () => writer.scene('talk', createPhraseContext(persona, noon), { heard }).lines[0]?.text,
  ).filter(Boolean)
  expect(new Set(openers).size).toBe(openers.length)
  expect(openers.length).toBeGreaterThan(15)
})

it('repeats no exchange in a chat', () => {
  const writer = new DialogueWriter(new Random(4), { texts: seedTexts, persona })
  const fan = { id: 300_000_000, name: 'Ada Lake' }
  const heard = new Set<unknown>()
  const lines = Array.from({ length: 150 }, (_, place) => {
    const values = new Map([...deriveFanFacts(seedTexts, fan), ['bought', 'the hives clip']])
    const context = createPhraseContext(persona, noon + place * 5 * 3_600_000)
    const memory = { heard, values }
    return [
      ...writer.scene('talk', context, memory).lines,
      ...(writer.scene('sale', context, memory).declined?.() ?? []),
      ...writer.tip('small', context, memory),
    ]
  }).flat()
  const exchanges = [...heard].filter((each) => typeof each === 'object')
  expect(lines.length).toBeGreaterThan(300)
  expect(exchanges.length).toBeGreaterThan(100)
  const texts = lines.flatMap((line) => line.text).filter((text) => text.length > 30)
  expect(texts.filter((text, place) => texts.indexOf(text) !== place)).toEqual([])
})

it('lets a fan write about only one job and one town', async () => {
  const sandbox = await createFreshSandbox('solo', { seed: 4 })
  const [chat] = sandbox.db.chats.all()
  const fan = sandbox.db.fans.get(chat!.fanId)!
  sandbox.act(
    Array.from({ length: 120 }, () => ({ type: 'message.from_fan' as const, fan_id: fan.id })),
  )
  const said = sandbox.db.messages
    .where({ fanId: fan.id, isFromFan: true })
    .map(({ text }) => text.toLowerCase())
    .join(' ')
  const facts = deriveFanFacts(seedTexts, fan)
  const others = (values: readonly string[], own: string | undefined) =>
    new Set(values.filter((value) => value !== own && said.includes(value.toLowerCase())))
  const jobs = seedTexts.dialogues.jobs
  expect(
    others(
      jobs.map(({ job }) => job),
      facts.get('job'),
    ),
  ).toEqual(new Set())
  const towns = seedTexts.countries.flatMap((country) => country.towns)
  expect(others(towns, facts.get('town'))).toEqual(new Set())
})

it.each(Object.keys(shippedPersonas))(
  'writes captions of %s for audio and GIFs, in all topics that have some',
  async (name) => {
    const { captions, topics } = (await shippedPersonas[name]!()).default
    const silent = Object.entries(topics).flatMap(([topic, { pictures }]) =>
      (['audio', 'gif'] as const)
        .filter((type) =>
          mediaManifest.some(
            (asset) => asset.type === type && scoreTopicMatch(asset, pictures) > 0,
          ),
        )
        .filter(
          (type) =>
            (captions[topic]?.brief ?? []).filter((phrase) =>
              parsePhrase(phrase).conditions.includes(type),
            ).length < 2,
        )
        .map((type) => `${topic}: ${type}`),
    )
    expect(silent).toEqual([])
  },
)

it('uses media in six of seven posts, and each item at most five times in a hundred', async () => {
  const { db } = await createFreshSandbox('agency', { seed: 11 })
  for (const { id: accountId, persona: name } of db.accounts.all()) {
    const posts = db.posts
      .where({ accountId, status: 'published' })
      .toSorted((a, b) => (a.postedAt < b.postedAt ? -1 : 1))
    if (posts.length < 100) continue
    expect([
      name,
      posts.filter(({ mediaFiles }) => mediaFiles.length > 0).length / posts.length,
    ]).toEqual([name, expect.closeTo(6 / 7, 1)])
    const places = new Map<string, number[]>()
    for (const [place, { mediaFiles }] of posts.entries())
      for (const file of mediaFiles)
        places.set(db.vaultMedia.get(file)!.asset, [
          ...(places.get(db.vaultMedia.get(file)!.asset) ?? []),
          place,
        ])
    const tooOften = [...places].filter(([, shown]) =>
      shown.some((place, index) => (shown[index + 5] ?? Infinity) - place < 100),
    )
    expect([name, tooOften]).toEqual([name, []])
  }
})

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
      const season = createPhraseContext(creator, Date.parse(postedAt)).value('season')
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
