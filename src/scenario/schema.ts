import { z } from 'zod'

const count = z.int().min(0).max(1_000_000)

/** A tracking link to make. */
export const LinkData = z.strictObject({
  name: z.string().describe('The name of the campaign.'),
  claimers: count.default(0).describe('How many fans came through it.'),
  deleted: z.boolean().default(false).describe('Whether it was deleted since.'),
})

/** The sizes and shape of an account's data. No field has a default here: options that leave one out must not reset it. */
export const AccountData = z.strictObject({
  posts: count.describe('Published posts, archived ones included.'),
  scheduledPosts: count.describe('Posts that go out after the clock start.'),
  comments: z.union([z.literal('spread'), z.array(count)]).describe('How many comments posts have: spread over them (the default), or given for the newest ones.'),
  fans: count.describe('Fans, subscribed or lapsed.'),
  transactions: count.describe('Purchases of these fans.'),
  transactionsPerFan: z.array(count).describe('Purchases of the first fans, one number for each, besides the others.'),
  vaultMedia: count.describe('Media in the vault, of all four types.'),
  vaultLists: z.array(z.string()).describe('Names of custom vault lists.'),
  labels: z.array(z.string()).describe('Names of post labels.'),
  trackingLinks: z.array(LinkData).describe('Tracking links. A fan came through one of them at most.'),
  chats: count.describe('Conversations with fans.'),
  messagesPerChat: count.describe('The most messages of a conversation. Default: 6.'),
  archivedPosts: z.boolean().describe('Whether some posts lie in the archive buckets. Default: true.'),
  texts: z.enum(['believable', 'edge']).describe('believable (the default), or edge: markup, emoji, right-to-left and very long texts.'),
  equalTimes: z.boolean().describe('Whether posts, comments and ranks share times and figures. Default: false.'),
})
export type AccountData = z.infer<typeof AccountData>

const noData: AccountData = {
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
  chats: 0,
  messagesPerChat: 6,
  archivedPosts: true,
  texts: 'believable',
  equalTimes: false,
}

/** An account of an organisation. */
export const ScenarioAccount = z.strictObject({
  id: z.int().positive().describe("The platform's id of the account."),
  username: z.string().min(1),
  name: z.string().min(1),
  about: z.string().default(''),
  subscribePrice: z.number().min(0).default(9.99).describe('Dollars a month.'),
  session: z.enum(['active', 'lapsed']).default('active').describe('lapsed: relay routes answer 424.'),
  connected: z.boolean().default(true),
  data: AccountData.partial()
    .prefault({})
    .transform((data): AccountData => ({ ...noData, ...data }))
    .superRefine((data, context) => {
      for (const [field, needed] of fansNeeded(data)) {
        if (needed > data.fans) context.addIssue({ code: 'custom', path: [field], message: `it needs ${needed} fans, but there are ${data.fans}` })
      }
    })
    .describe('How much data it has; a size that is left out is 0.'),
})
export type ScenarioAccount = z.infer<typeof ScenarioAccount>

/** An organisation with its keys, tags and accounts. */
export const ScenarioOrganisation = z.strictObject({
  name: z.string().min(1),
  limits: z
    .strictObject({ minute: z.int().min(0).default(1000), day: z.int().min(0).default(50_000) })
    .default({ minute: 1000, day: 50_000 })
    .describe('Requests per UTC minute and day.'),
  credits: z.int().min(0).nullable().default(null).describe('Credits to spend; null: nobody counts.'),
  isSubscriptionActive: z.boolean().default(true).describe('false: every request is 402.'),
  tags: z.array(z.strictObject({ name: z.string(), color: z.string().nullable().default(null) })).default([]),
  roles: z.record(z.string(), z.array(z.string())).describe('Permissions by role, `*` for any text. Each role has one API key.'),
  accounts: z.array(ScenarioAccount).default([]),
})
export type ScenarioOrganisation = z.infer<typeof ScenarioOrganisation>

/** A scenario: the world that a sandbox starts with. */
export const Scenario = z
  .strictObject({
    name: z.string().regex(/^[a-z\d]+(-[a-z\d]+)*$/, { error: 'must be lower-case words with hyphens between them' }),
    title: z.string().default(''),
    description: z.string().default(''),
    seed: z.int().default(1).describe('Where all chance comes from.'),
    now: z.iso.datetime({ offset: true }).describe('The clock start, RFC 3339.'),
    transcodingSeconds: z.int().min(0).default(30).describe('How long new media take to turn ready.'),
    organisations: z.array(ScenarioOrganisation).min(1),
  })
  .superRefine(({ organisations }, context) => {
    const roles = organisations.flatMap((organisation) => Object.keys(organisation.roles))
    const twice = roles.find((role, index) => roles.indexOf(role) !== index)
    if (twice !== undefined) context.addIssue({ code: 'custom', path: ['organisations'], message: `the role ${twice} is there twice; role names are the names of the keys` })
    const ids = organisations.flatMap(({ accounts }) => accounts.map(({ id }) => id))
    const same = ids.find((id, index) => ids.indexOf(id) !== index)
    if (same !== undefined) context.addIssue({ code: 'custom', path: ['organisations'], message: `the account id ${same} is there twice` })
  })
export type Scenario = z.infer<typeof Scenario>

/** How many fans some of the sizes take. */
function fansNeeded({ trackingLinks, transactions, transactionsPerFan, chats }: AccountData): [keyof AccountData, number][] {
  return [
    ['trackingLinks', trackingLinks.reduce((sum, { claimers }) => sum + claimers, 0)],
    ['transactions', Math.min(transactions, 1)],
    ['transactionsPerFan', transactionsPerFan.length],
    ['chats', chats],
  ]
}
