import type { Sandbox } from '../../src/index.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { formatDuration } from '../../src/resources/chats/bundles.ts'
import { getUtcOffsetMs } from '../../src/seed/phrase-context.ts'
import type { Figures } from './measured.ts'
import { computeQuantile, computeSum } from './statistics.ts'

type Db = Sandbox['db']
type Message = ReturnType<Db['messages']['all']>[number]

/**
 * An account is measured only if it has at least this many messages, not counting copies. Accounts
 * with many more messages are for load tests.
 */
const leastMessages = 900
const mostMessages = 50_000
/** Number of highest-spending fans whose chats and notes are measured. */
const best = 20
const dayMs = 86_400_000
const hourMs = 3_600_000
/** Maximum time between a message and its reply, ms. Later messages start a new conversation. */
const answerMs = 20 * hourMs

/** Measures chat habits and message sales by account. */
export async function measureChats({ db }: Sandbox): Promise<{ who: string; figures: Figures }[]> {
  const found: { who: string; figures: Figures }[] = []
  for (const account of db.accounts.all()) {
    const messages = db.messages.where({ accountId: account.id })
    const direct = messages.filter(({ queueId }) => queueId === null)
    if (messages.length === 0) continue
    const figures: Figures = { ...measureMedia(db, messages), ...measurePrices(messages) }
    if (direct.length < leastMessages || direct.length > mostMessages) {
      found.push({ who: account.username, figures: dropPrices(figures) })
      continue
    }
    const persona = (await shippedPersonas[account.persona]?.())?.default
    found.push({
      who: account.username,
      figures: {
        ...figures,
        ...(persona === undefined
          ? {}
          : measureReplies(
              messages,
              (at) => new Date(at + getUtcOffsetMs(persona, at)).getUTCHours(),
              persona.awake,
            )),
        ...measureTips(db, account.id, direct),
        ...measureWriting(messages, direct),
        ...measureInbox(db, account.id, direct),
      },
    })
  }
  return found
}

/**
 * Measures values that would vary too much for small accounts or do not apply to load-test
 * accounts.
 */
const figuresOfChats = [
  'prices: media whose price changed',
  'prices: maximum copies of a sentence of the creator',
]

function dropPrices(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).filter(([name]) => !figuresOfChats.includes(name)),
  )
}

function measureReplies(
  messages: readonly Message[],
  hourOf: (at: number) => number,
  awake: { from: number; until: number },
): Figures {
  const waits: number[] = []
  let night = 0
  for (const [message, before] of pairWithPrevious(messages)) {
    if (message.isFromFan || !before.isFromFan || message.queueId !== null) continue
    const wait = Date.parse(message.createdAt) - Date.parse(before.createdAt)
    if (wait > answerMs) continue
    waits.push(wait)
    const hour = hourOf(Date.parse(message.createdAt))
    if (hour < awake.from && hour + 24 >= awake.until) night += 1
  }
  return {
    'replies: share after whole minutes':
      waits.filter((wait) => wait % 60_000 < 1000).length / waits.length,
    'replies: longest tenth, as a multiple of the median':
      computeQuantile(waits, 0.9) / computeQuantile(waits, 0.5),
    'replies: share at night': night / waits.length,
  }
}

/** Pairs each message with the previous one in its chat, including copies of mass messages. */
function* pairWithPrevious(messages: readonly Message[]): Generator<readonly [Message, Message]> {
  const last = new Map<number, Message>()
  for (const message of messages.toSorted((a, b) => a.id - b.id)) {
    const before = last.get(message.chatId)
    if (before !== undefined) yield [message, before]
    last.set(message.chatId, message)
  }
}

/** Patterns for words that promise media, each with the promised media types. */
const promises: readonly (readonly [RegExp, string])[] = [
  [/\b(clip|video|filmed|film)\b/i, 'video'],
  [/\b(recording|headphones)\b/i, 'audio'],
  [/\b(?:photos?|pics?)\b/i, 'photo'],
]
const lengths = /(\d+ (?:sec|min)) (?:clip|video|recording)\b/g

function measureMedia(db: Db, messages: readonly Message[]): Figures {
  let [missing, wrong] = [0, 0]
  for (const { isFromFan, price, text, mediaFiles } of messages) {
    if (isFromFan || price === 0) continue
    const media = mediaFiles.flatMap((id) => db.vaultMedia.get(id) ?? [])
    // Removes mentions of the fan's earlier purchases from a message.
    const promised = text.replace(/you liked the [^,]*,/i, '')
    if (
      promises.some(
        ([words, type]) => words.test(promised) && !media.some((each) => each.type === type),
      )
    )
      missing += 1
    const known = media.map(({ duration }) => formatDuration(duration))
    for (const [, length] of text.matchAll(lengths)) if (!known.includes(length ?? '')) wrong += 1
  }
  return {
    'media: paid messages that mention media that are not attached': missing,
    'media: mentioned lengths that differ from the media': wrong,
  }
}

function measurePrices(messages: readonly Message[]): Figures {
  const byMedia = new Map<string, Map<number, { first: string; last: string }>>()
  const copies = new Map<string, number>()
  const queues = new Set<number>()
  for (const { isFromFan, price, mediaFiles, createdAt, queueId, text } of messages) {
    if (isFromFan) continue
    if (queueId === null) {
      if (text.length > 30) copies.set(text, (copies.get(text) ?? 0) + 1)
    } else if (queues.has(queueId)) continue
    else queues.add(queueId)
    if (price === 0 || queueId !== null) continue
    const key = mediaFiles.join()
    const prices = byMedia.get(key) ?? new Map()
    byMedia.set(key, prices)
    const known = prices.get(price) ?? { first: createdAt, last: createdAt }
    prices.set(price, {
      first: createdAt < known.first ? createdAt : known.first,
      last: createdAt > known.last ? createdAt : known.last,
    })
  }
  let [mixed, changed] = [0, 0]
  for (const prices of byMedia.values()) {
    const spans = [...prices.values()].toSorted((a, b) => (a.first < b.first ? -1 : 1))
    if (spans.some(({ first }, place) => place > 0 && first < (spans[place - 1]?.last ?? '')))
      mixed += 1
    else if (spans.length > 1) changed += 1
  }
  return {
    'prices: media with two prices on one day': mixed,
    'prices: media whose price changed': changed,
    'prices: maximum copies of a sentence of the creator': Math.max(1, ...copies.values()),
  }
}

function measureTips(db: Db, accountId: number, direct: readonly Message[]): Figures {
  const byFan = new Map<number, Message[]>()
  for (const message of direct) {
    if (message.isFromFan || !/thank|cheers|aw\.|look at you/i.test(message.text)) continue
    byFan.set(message.fanId, [...(byFan.get(message.fanId) ?? []), message])
  }
  const large = db.transactions.where(
    ({ accountId: own, category, amount, status, transaction_created_at: at }) =>
      own === accountId &&
      category === 'tip' &&
      (amount ?? 0) > 20 &&
      status !== 'undo' &&
      at !== null,
  )
  const thanked = large.filter(({ fanId, transaction_created_at: at }) => {
    const time = Date.parse(at ?? '')
    return byFan
      .get(fanId)
      ?.some(
        ({ createdAt }) => Date.parse(createdAt) > time && Date.parse(createdAt) <= time + dayMs,
      )
  })
  const told = direct.filter(({ isTip }) => isTip)
  return {
    'tips: share above $20 with thanks within a day': thanked.length / large.length,
    'tips: share of tips in chats with words of the fan':
      told.filter(({ text }) => !text.includes('I sent you a')).length / told.length,
  }
}

function measureWriting(messages: readonly Message[], direct: readonly Message[]): Figures {
  const written = direct.filter(({ isFromFan, isTip }) => isFromFan && !isTip)
  const plain = written.map(({ text }) => toPlain(text))
  const share = (is: (text: string) => boolean) => plain.filter(is).length / plain.length
  let inRow = 0
  for (const [message, before] of pairWithPrevious(messages))
    if (
      message.isFromFan &&
      before.isFromFan &&
      Date.parse(message.createdAt) - Date.parse(before.createdAt) < 60_000
    )
      inRow += 1
  return {
    'fans write: share that begins in lower case': share((text) => /^\p{Ll}/u.test(text)),
    'fans write: share with emoji': share((text) => /\p{Extended_Pictographic}/u.test(text)),
    'fans write: share with media or a GIF':
      written.filter(({ mediaFiles, giphyId }) => mediaFiles.length > 0 || giphyId !== null)
        .length / written.length,
    'fans write: share sent several in a row': inRow / written.length,
    'fans write: share of one word': share((text) => text !== '' && !text.trim().includes(' ')),
    'fans write: longest, characters': Math.max(...plain.map((text) => text.length)),
  }
}

const greeting = /^(hi|hey|hello|good (morning|night)|night|welcome)\b/i

function measureInbox(db: Db, accountId: number, direct: readonly Message[]): Figures {
  const counts = new Map<number, number>()
  for (const { fanId } of direct) counts.set(fanId, (counts.get(fanId) ?? 0) + 1)
  const ranked = db.fanSpend.where({ accountId }).toSorted((a, b) => b.total - a.total)
  const ofBest = ranked.slice(0, best).map(({ fanId }) => counts.get(fanId) ?? 0)
  const texts = direct
    .map(({ text }) => toPlain(text))
    .filter((text) => text !== '' && !greeting.test(text) && !text.startsWith('I sent you a'))
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  const earned = db.transactions.where(
    ({ accountId: own, status }) => own === accountId && status !== 'undo',
  )
  const dollars = (rows: readonly { amount: number | null }[]) =>
    computeSum(rows.map(({ amount }) => amount ?? 0))
  return {
    'inboxes: minimum of messages with the top twenty fans': computeQuantile(ofBest, 0.15),
    'inboxes: maximum of messages with a top fan': Math.max(...ofBest),
    'inboxes: share of exact duplicates, greetings aside':
      texts.filter((text) => (times.get(text) ?? 0) > 1).length / texts.length,
    'inboxes: share of the revenue from messages':
      dollars(earned.filter(({ category }) => category === 'message')) / dollars(earned),
  }
}

function toPlain(text: string): string {
  return text.replace(/<[^>]+>/g, '')
}
