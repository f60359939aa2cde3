import { z } from 'zod'
import { derivedTables, tableDefinitions } from '../model/tables.ts'
import { parseMoment } from '../schemas/time.ts'
import { expandTimeline, Step, TimelineError } from './timeline.ts'

const instantError = 'it must be an RFC 3339 instant from 2004 to 2286, such as 2026-10-01T09:00:00Z'
const count = z.int().min(0).max(1_000_000)

const marks = {
  promoCost: z.number().min(0).nullable().default(null).describe('What its promotion cost, dollars.'),
  shares: count.max(100).default(0).describe('How many public pages it has; every second one has closed.'),
}

/** A tracking link to make. */
export const LinkData = z.lazy(() => z.strictObject({
  name: z.string().describe('The name of the campaign.'),
  claimers: count.default(0).describe('How many fans came through it.'),
  deleted: z.boolean().default(false).describe('Whether it was deleted since.'),
  ...marks,
}))

/** A trial link to make. */
export const TrialData = z.lazy(() => z.strictObject({
  name: z.string().describe('The name of the trial.'),
  claimers: count.default(0).describe('How many fans came through it.'),
  days: z.int().min(1).max(365).default(30).describe('How long the trial lasts.'),
  limit: count.default(0).describe('How many may claim it; 0: any number.'),
  ended: z.enum(['expired', 'claimed', 'finished']).optional().describe('Why it takes no more claims: its time ran out, the last claim that it allowed was made, or it was finished by hand.'),
  hidden: z.boolean().default(false).describe("Whether it is hidden from the service's own list."),
  ...marks,
}).refine(({ ended, claimers }) => ended !== 'claimed' || claimers > 0, { path: ['claimers'], error: 'a trial link that was claimed up needs a claimer' }))
export type TrialData = z.infer<typeof TrialData>

/** A custom list of users to make. */
export const UserListData = z.lazy(() => z.strictObject({ name: z.string().min(1).max(64), members: count.default(0).describe('How many fans are in it.') }))

/** The sizes and shape of an account's data. No field has a default here: options that leave one out must not reset it. */
export const AccountData = z.lazy(() => z.strictObject({
  posts: count.describe('Published posts, archived ones included.'),
  scheduledPosts: count.describe('Posts that go out after the clock start.'),
  comments: z.union([z.literal('spread'), z.array(count)]).describe('How many comments posts have: spread over them (the default), or given for the newest ones.'),
  fans: count.describe('Fans, subscribed or lapsed.'),
  transactions: count.describe('Purchases of these fans.'),
  transactionsPerFan: z.array(count).describe('Purchases of the first fans, one number for each, besides the others.'),
  vaultMedia: count.describe('Media in the vault, of all four types.'),
  vaultLists: z.union([z.array(z.string()), count]).describe('Names of custom vault lists, or how many.'),
  labels: z.array(z.string()).describe('Names of post labels.'),
  trackingLinks: z.array(LinkData).describe('Tracking links. A fan came through one of them at most.'),
  trialLinks: z.array(TrialData).describe('Trial links. Their claimers are fans whom no tracking link brought.'),
  chats: count.describe('Conversations with fans.'),
  messagesPerChat: count.describe('The most messages of a conversation. Default: 6.'),
  massMessages: count.max(2000).describe('Mass messages that went out, each to at most 30 of those whom it has conversations with.'),
  queuedMassMessages: count.max(1000).describe('Mass messages that go out after the clock start; one more was cancelled for every four of them.'),
  notifications: count.max(1000).describe('The most notifications on what its fans did, the newest ones. Default: 150.'),
  payouts: count.max(1000).describe('Payouts of the last two years. Their sum never passes what was earned by then: what is too little to pay out stands as rejected.'),
  referrals: count.max(1000).describe('Creators who joined through its referral link, and what they brought it.'),
  userLists: z.array(UserListData).max(100).describe('Custom lists of users.'),
  following: count.describe('Creators whom the account follows.'),
  blocked: count.describe('Fans whom it blocked.'),
  restricted: count.describe('Fans whom it restricted, others than the blocked ones.'),
  stories: count.describe("Stories, all but the last day's off the profile by now."),
  archivedPosts: z.boolean().describe('Whether some posts lie in the archive buckets. Default: true.'),
  texts: z.enum(['believable', 'edge']).describe('believable (the default), or edge: markup, emoji, right-to-left and very long texts.'),
  equalTimes: z.boolean().describe('Whether posts, comments and ranks share times and figures. Default: false.'),
}))
export type AccountData = z.infer<typeof AccountData>

/** The data of an account that says nothing of them. */
export const noData: AccountData = {
  posts: 0,
  scheduledPosts: 0,
  comments: 'spread',
  fans: 0,
  transactions: 0,
  transactionsPerFan: [],
  vaultMedia: 0,
  vaultLists: [],
  labels: [],
  trackingLinks: [],
  trialLinks: [],
  chats: 0,
  messagesPerChat: 6,
  massMessages: 0,
  queuedMassMessages: 0,
  notifications: 150,
  payouts: 0,
  referrals: 0,
  userLists: [],
  following: 0,
  blocked: 0,
  restricted: 0,
  stories: 0,
  archivedPosts: true,
  texts: 'believable',
  equalTimes: false,
}

/** An account of an organisation. */
export const ScenarioAccount = z.lazy(() => z.strictObject({
  id: z.int().positive().describe("The platform's id of the account."),
  username: z.string().min(1),
  name: z.string().min(1),
  about: z.string().default(''),
  subscribePrice: z.number().min(0).default(9.99).describe('Dollars a month.'),
  session: z.enum(['active', 'lapsed']).default('active').describe('lapsed: relay routes answer 424.'),
  connected: z.boolean().default(true),
  data: AccountData.unwrap()
    .partial()
    .prefault({})
    .transform((data): AccountData => ({ ...noData, ...data }))
    .superRefine((data, context) => {
      for (const [field, needed] of fansNeeded(data)) {
        if (needed > data.fans) context.addIssue({ code: 'custom', path: [field], message: `it needs ${needed} fans, but there are ${data.fans}` })
      }
    })
    .describe('How much data it has; a size that is left out is 0.'),
}))
export type ScenarioAccount = z.infer<typeof ScenarioAccount>

/** An organisation with its keys, tags and accounts. */
export const ScenarioOrganisation = z.lazy(() => z.strictObject({
  name: z.string().min(1),
  limits: z
    .strictObject({ minute: z.int().min(0).default(1000), day: z.int().min(0).default(50_000) })
    .default({ minute: 1000, day: 50_000 })
    .describe('Requests per UTC minute and day.'),
  credits: z.int().min(0).nullable().default(null).describe('Credits to spend; null: nobody counts.'),
  isSubscriptionActive: z.boolean().default(true).describe('false: every request is 402.'),
  tags: z.array(z.strictObject({ name: z.string(), color: z.string().nullable().default(null) })).default([]),
  roles: z.record(z.string(), z.array(z.string())).describe('Permissions by role, `*` for any text, `!` before what is taken from them. Each role has one API key.'),
  accounts: z.array(ScenarioAccount).default([]),
}))
export type ScenarioOrganisation = z.infer<typeof ScenarioOrganisation>

/** Records by hand, by table: whole, as `GET /_sandbox/data/{table}` shows them. Made when it is first needed. */
const ScenarioRecords = z.lazy(() => {
  const stored = Object.entries(tableDefinitions).filter(([name]) => !(derivedTables as readonly string[]).includes(name))
  return z.strictObject(Object.fromEntries(stored.map(([name, { schema }]) => [name, z.array(schema as z.ZodType<{ id: number | string } & Record<string, unknown>>).optional()])))
})

/** What a scenario has; its parts are checked against one another by `checkWhole`. */
const ScenarioFields = z.lazy(() => z.strictObject({
  name: z.string().regex(/^[a-z\d]+(-[a-z\d]+)*$/, { error: 'it must be lower-case words with hyphens between them' }),
  title: z.string().default(''),
  description: z.string().default(''),
  seed: z.int().default(1).describe('Where all chance comes from.'),
  now: z.iso.datetime({ offset: true, error: instantError, abort: true }).refine((text) => parseMoment(text) !== undefined, { error: instantError }).describe('The clock start, RFC 3339.'),
  transcodingSeconds: z.int().min(0).default(30).describe('How long new media take to turn ready.'),
  organisations: z.array(ScenarioOrganisation).min(1),
  records: ScenarioRecords.default({}).describe('Records by hand, in addition to the generated ones or, by their id, in their place.'),
  timeline: z.array(Step).max(10_000).default([]).describe('What happens as the clock moves on.'),
}))

/** A scenario: the world that a sandbox starts with, and what happens in it. */
export const Scenario = ScenarioFields.superRefine(checkWhole)
/** A scenario with every default filled in. */
export type Scenario = z.infer<typeof Scenario>
/** A scenario as one writes it. */
export type ScenarioInput = z.input<typeof Scenario>

function checkWhole({ organisations, records, timeline, now, seed }: z.infer<typeof ScenarioFields>, context: z.RefinementCtx): void {
  const accounts = organisations.flatMap((organisation) => organisation.accounts.map(({ id }) => id))
  for (const [table, rows = []] of Object.entries(records)) {
    const ids = new Set<number | string>()
    for (const [index, { id: recordId, accountId }] of rows.entries()) {
      if (ids.has(recordId)) context.addIssue({ code: 'custom', path: ['records', table, index, 'id'], message: 'the id is there twice' })
      ids.add(recordId)
      if (accountId === undefined || accounts.includes(accountId as number)) continue
      context.addIssue({ code: 'custom', path: ['records', table, index, 'accountId'], message: `there is no such account. There are ${accounts.slice(0, 10).join(', ')}` })
    }
  }
  for (const [index, step] of timeline.entries()) {
    for (const [place, { account_id: id }] of step.do.entries()) {
      if (typeof id !== 'number' || accounts.includes(id)) continue
      context.addIssue({ code: 'custom', path: ['timeline', index, 'do', place, 'account_id'], message: `there is no such account. There are ${accounts.slice(0, 10).join(', ')}` })
    }
  }
  try {
    expandTimeline(timeline, { start: now, seed })
  } catch (error) {
    if (!(error instanceof TimelineError)) throw error
    context.addIssue({ code: 'custom', path: [...error.path], message: error.message })
  }
  const roles = organisations.flatMap((organisation) => Object.keys(organisation.roles))
  const twice = roles.find((role, index) => roles.indexOf(role) !== index)
  if (twice !== undefined) context.addIssue({ code: 'custom', path: ['organisations'], message: `the role ${twice} is there twice; role names are the names of the keys` })
  const same = accounts.find((id, index) => accounts.indexOf(id) !== index)
  if (same !== undefined) context.addIssue({ code: 'custom', path: ['organisations'], message: `the account id ${same} is there twice` })
}

/** How many fans some of the sizes take. */
function fansNeeded({ trackingLinks, trialLinks, transactions, transactionsPerFan, chats, userLists, blocked, restricted }: AccountData): [keyof AccountData, number][] {
  return [
    ['trackingLinks', trackingLinks.reduce((sum, { claimers }) => sum + claimers, 0)],
    ['trialLinks', [...trackingLinks, ...trialLinks].reduce((sum, { claimers }) => sum + claimers, 0)],
    ['transactions', Math.min(transactions, 1)],
    ['transactionsPerFan', transactionsPerFan.length],
    ['chats', chats],
    ['restricted', blocked + restricted],
    ['userLists', Math.max(0, ...userLists.map(({ members }) => members))],
  ]
}
