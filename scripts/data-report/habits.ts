import type { Sandbox } from '../../src/index.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import type { Figures } from './measured.ts'
import { computeStandardDeviation, computeRankCorrelation, computeSum } from './statistics.ts'

type Db = Sandbox['db']

/** Accounts with more posts than this are not measured, because they are for load tests. */
const mostPosts = 5000
/** Minimum number of fans for a meaningful distribution. */
const leastFans = 100

/** Measures visitors, mass messages and notes, both for each account and for the whole scenario. */
export async function measureHabits(
  sandbox: Sandbox,
): Promise<{ who: string; figures: Figures }[]> {
  const { db } = sandbox
  const accounts = db.accounts.all()
  const found: { who: string; figures: Figures }[] = [
    { who: '', figures: measureAccounts(db) },
    { who: '', figures: measureNames(db) },
  ]
  if (accounts.length > 1)
    found.push({
      who: '',
      figures: {
        'tips: of odd amounts': db.transactions.where(
          ({ category, amount }) =>
            category === 'tip' && amount !== null && !Number.isInteger(amount),
        ).length,
      },
    })
  const guests: number[] = []
  for (const { id, username, connected, session } of accounts) {
    const fans = db.subscriptions.where({ accountId: id }).length
    if (fans === 0) continue
    found.push({ who: username, figures: { ...measurePosts(db, id), ...measureTexts(db, id) } })
    if (fans < leastFans) continue
    found.push({
      who: username,
      figures: { ...measureComments(db, id), ...measureNotes(db, id), ...measureIds(db, id) },
    })
    if (!connected || session !== 'active') continue
    const { deviation: spread, share } = await measureVisitors(sandbox, id)
    guests.push(share)
    found.push({
      who: username,
      figures: { 'visitors: standard deviation of the share of guests by country, points': spread },
    })
  }
  if (guests.length > 1)
    found.push({
      who: '',
      figures: {
        'visitors: difference of the share of guests among accounts, points':
          Math.max(...guests) - Math.min(...guests),
      },
    })
  return found
}

function measureAccounts(db: Db): Figures {
  const accounts = db.accounts.all()
  const seen = new Map<string, number>()
  let shared = 0
  const note = (accountId: number, at: string) => {
    const known = seen.get(at)
    if (known !== undefined && known !== accountId) shared += 1
    seen.set(at, accountId)
  }
  for (const { accountId, createdAt } of db.payouts.all()) note(accountId, createdAt)
  for (const { accountId, createdAt } of db.referralPayouts.all()) note(accountId, createdAt)
  for (const { accountId, postedAt, status } of db.posts.all())
    if (status === 'published') note(accountId, postedAt.slice(0, 19))
  let [twins, early] = [0, 0]
  const sizes = accounts.map(({ id }) => [
    db.posts.where({ accountId: id }).length,
    db.subscriptions.where({ accountId: id }).length,
    db.stories.where({ accountId: id }).length,
  ])
  for (const [place, own] of sizes.entries())
    for (const other of sizes.slice(place + 1))
      if (own.some((size, index) => size > 10 && size === other[index])) twins += 1
  for (const { id, joinDate } of accounts) {
    const times = [
      ...db.posts.where({ accountId: id }).map(({ postedAt }) => postedAt),
      ...db.subscriptions.where({ accountId: id }).map(({ subscribedAt }) => subscribedAt),
      ...db.payouts.where({ accountId: id }).map(({ createdAt }) => createdAt),
      ...db.stories.where({ accountId: id }).map(({ createdAt }) => createdAt),
      ...db.trackingLinks.where({ accountId: id }).map(({ createdAt }) => createdAt),
      ...db.vaultMedia.where({ accountId: id }).map(({ createdAt }) => createdAt),
    ]
    early += times.filter((time) => time < joinDate).length
  }
  return {
    'accounts: instants that two accounts share in payouts and posts': shared,
    'accounts: pairs of accounts with equal numbers of posts, fans or stories': twins,
    'accounts: records before the account joined': early,
  }
}

function measureNames(db: Db): Figures {
  const { nouns: allNouns, cultures } = seedTexts.names
  // Some nouns are parts of names, such as Hill and Robinson.
  const names = Object.values(cultures).flatMap(({ first, last }) => [...first, ...last])
  const nouns = allNouns.filter((noun) => !names.some((name) => name.toLowerCase().includes(noun)))
  const fans = db.fans.all()
  const withNoun = fans.filter(({ username }) =>
    nouns.some((noun) => noun.length > 3 && username.includes(noun)),
  )
  const contradicting = db.subscriptions.all().filter(({ displayName, fanId }) => {
    const { name = '', isActive = true } = db.fans.get(fanId) ?? {}
    return (
      isActive &&
      displayName !== '' &&
      !displayName.toLowerCase().includes(name.slice(0, 2).toLowerCase())
    )
  })
  return {
    'names: share of usernames with a noun of the dictionary': withNoun.length / fans.length,
    'names: display names that contradict the name': contradicting.length,
  }
}

function measurePosts(db: Db, accountId: number): Figures {
  const seconds = new Map<string, number>()
  for (const { postId, postedAt } of db.comments.where({ accountId })) {
    const key = `${postId} ${postedAt.slice(0, 19)}`
    seconds.set(key, (seconds.get(key) ?? 0) + 1)
  }
  return { 'comments: maximum in one second': Math.max(0, ...seconds.values()) }
}

function measureComments(db: Db, accountId: number): Figures {
  const posts = db.posts.where({ accountId, status: 'published' })
  const streamed = new Set(posts.flatMap((post) => (post.isStream ? post.mediaFiles : [])))
  const videos = db.vaultMedia
    .where({ accountId, type: 'video' })
    .filter(({ id }) => !streamed.has(id))
    .map(({ asset, duration }) => ({ asset, duration }))
  const likes = computeSum(posts.map(({ likeCount }) => likeCount))
  const comments = computeSum(posts.map(({ commentCount }) => commentCount))
  return {
    // Not measured for accounts with more posts, because the scenario may set the number of
    // comments on the newest posts.
    ...(posts.length > mostPosts
      ? {}
      : {
          'comments: for each like': comments / likes,
          'media: different videos': new Set(videos.map(({ asset }) => asset)).size,
        }),
    'media: longest video, seconds': Math.max(0, ...videos.map(({ duration }) => duration)),
  }
}

function measureTexts(db: Db, accountId: number): Figures {
  const sent = db.massMessages.where({ accountId }).map(({ text }) => text)
  const counts = db.posts
    .where({ accountId, status: 'published' })
    .toSorted((a, b) => (a.postedAt < b.postedAt ? -1 : 1))
    .flatMap(({ rawText }) => /idea number (\d+)/i.exec(rawText)?.[1] ?? [])
    .map(Number)
  return {
    'continuity: repeated texts of mass messages': sent.length - new Set(sent).size,
    'continuity: counts that go backwards': counts.filter(
      (count, place) => place > 0 && count <= (counts[place - 1] ?? 0),
    ).length,
  }
}

function measureNotes(db: Db, accountId: number): Figures {
  const ranked = db.fanSpend.where({ accountId }).toSorted((a, b) => b.total - a.total)
  const best = ranked.slice(0, 20)
  const records = best.map(({ fanId }) => db.fanRecords.get(`${accountId}:${fanId}`))
  return {
    'notes: share of top fans with a note':
      records.filter((record) => (record?.note ?? null) !== null).length / best.length,
    'notes: top fans with a custom name': records.filter(
      (record) => (record?.name ?? null) !== null,
    ).length,
  }
}

function measureIds(db: Db, accountId: number): Figures {
  const own = db.subscriptions.where({ accountId })
  const owner = new Map<number, number>()
  for (const { fanId, accountId: of } of db.subscriptions.all()) owner.set(fanId, of)
  const ordered = [...owner].toSorted(([a], [b]) => a - b)
  const apart = ordered.filter(
    ([, of], place) => place > 0 && ordered[place - 1]?.[1] !== of,
  ).length
  const several = new Set(owner.values()).size > 1
  return {
    ...(several ? { 'ids: neighbours of different accounts': apart / ordered.length } : {}),
    'ids: rank correlation with the day of joining': computeRankCorrelation(
      own.map(({ fanId, subscribedAt }) => [fanId, Date.parse(subscribedAt)]),
    ),
  }
}

/** Measures the percentage of visitors who are guests, and its variation by country. */
async function measureVisitors(
  sandbox: Sandbox,
  accountId: number,
): Promise<{ share: number; deviation: number }> {
  const { organisation } = sandbox.db.accounts.get(accountId) ?? {}
  const { key = '' } = sandbox.db.apiKeys.find((row) => row.organisation === organisation) ?? {}
  const reply = await sandbox.fetch(
    `${sandbox.baseUrl}/v1/${accountId}/reach/profile-visitors/countries?limit=50&start_date=-300d`,
    { headers: { authorization: `Bearer ${key}` } },
  )
  const { data } = (await reply.json()) as { data: VisitorCountries }
  const rows = data.topCountries.rows
    .filter(({ countryCode }) => countryCode !== '')
    .map(({ viewsCount }) => viewsCount)
  const percent = ({ guests, total }: { guests: number; total: number }) => (100 * guests) / total
  const large = rows.filter(({ total }) => total > 200)
  const all = {
    guests: computeSum(rows.map(({ guests }) => guests)),
    total: computeSum(rows.map(({ total }) => total)),
  }
  return { share: percent(all), deviation: computeStandardDeviation(large.map(percent)) }
}

/** The part of the country response that is measured. */
interface VisitorCountries {
  topCountries: {
    rows: readonly { countryCode: string; viewsCount: { total: number; guests: number } }[]
  }
}
