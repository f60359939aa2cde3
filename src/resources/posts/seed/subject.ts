import { parseIso } from '../../../lib/time.ts'
import { getSeason } from '../../../seed/local-time.ts'
import { getMediaAsset } from '../../media/signatures.ts'
import { scoreTopicMatch } from '../../media/topics.ts'
import type { MediaType, VaultMedia } from '../../vault/vault.table.ts'
import type { PostPlan, PostsPlan, PostingContext } from './posting.ts'

/** Maximum number of alternative topics to try. */
const maxTopics = 16

/** The media types of posts, in a cycle: one photo, only text, three photos, a video and so on. */
const mediaPatterns: readonly (readonly MediaType[])[] = [
  ['photo'],
  [],
  ['photo', 'photo', 'photo'],
  ['video'],
  ['photo', 'video'],
  ['photo', 'photo'],
  ['audio'],
  ['photo', 'photo', 'photo', 'photo'],
  ['gif'],
  ['photo', 'video', 'gif', 'audio'],
  ['photo'],
]

/** The topic and the media of a post. */
export interface Subject {
  topic: string
  media: readonly VaultMedia[]
}

/** Picks a random subject for a post. */
export function pickPostSubject(
  posting: PostingContext,
  { time, iso, local, index, spike }: PostPlan & { iso: string; local: Date },
): Subject {
  const { seeding, plan, mediaPool, writer } = posting
  const { random, now } = seeding
  const { persona } = plan
  let topic = writer.drawTopic(posting.topics)
  // Prefers media that are still being transcoded when the post is published.
  const [waiting] = mediaPool.waiting
  if (waiting !== undefined && time <= now && time >= parseIso(waiting.createdAt))
    return getMediaSubject(waiting, { persona, topic })
  const types: readonly MediaType[] =
    spike === 'stream' ? ['video'] : (mediaPatterns[index % mediaPatterns.length] ?? [])
  const season = getSeason(local)
  const pick = () =>
    mediaPool.pick(random, {
      instant: iso,
      index,
      pictures: persona.topics[topic]?.pictures ?? [],
      types,
      season,
      isAnyRight: spike === 'stream',
    })
  let media = pick()
  // Tries another topic if all pictures of the current topic were used recently.
  for (let draws = 0; draws < maxTopics && media.length < Math.min(1, types.length); draws += 1) {
    topic = writer.drawTopic(posting.topics)
    media = pick()
  }
  return { topic, media }
}

/** Returns the main topic of a media item. If the item has no topic, returns the chosen topic. */
function getMediaSubject(
  media: VaultMedia,
  { persona: { topics }, topic }: { persona: PostsPlan['persona']; topic: string },
): Subject {
  const asset = getMediaAsset(media)
  let best = { topic, fit: scoreTopicMatch(asset, topics[topic]?.pictures ?? []) }
  for (const [name, { pictures }] of Object.entries(topics)) {
    const fit = scoreTopicMatch(asset, pictures)
    if (fit > best.fit) best = { topic: name, fit }
  }
  return { topic: best.topic, media: [media] }
}
