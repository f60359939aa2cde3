import type { Id } from '../engine/store/rows.ts'
import { anyTable } from '../engine/store/tables.ts'
import type { Account, ApiKey } from '../engine/tenancy/tenancy.table.ts'
import { toIso } from '../engine/time.ts'
import { sowChats } from '../resources/chats/seed.ts'
import { sowChatStates } from '../resources/chats/states.seed.ts'
import { sowComments } from '../resources/comments/seed.ts'
import { sowLastSeen, sowLinks, sowSubscriptions } from '../resources/fans/seed.ts'
import { sowMassMessages } from '../resources/mass-messages/seed.ts'
import { defaultSettings } from '../resources/notifications/notifications.ts'
import { sowNotifications } from '../resources/notifications/seed.ts'
import { sowTransactions } from '../resources/payments/seed.ts'
import { markStreamPayments } from '../resources/payments/streams.seed.ts'
import { sowPayouts, sowReferrals } from '../resources/payouts/seed.ts'
import { sowPosts } from '../resources/posts/seed.ts'
import { sowStories } from '../resources/stories/seed.ts'
import { sowTrialLinks } from '../resources/trial-links/seed.ts'
import { sowUsers } from '../resources/users/seed.ts'
import { giveEngagement, sowPlaces, sowReleaseForms, sowVault } from '../resources/vault/seed.ts'
import type { Scenario, ScenarioAccount } from '../scenario/schema.ts'
import { createSower, daysAgo } from './sowing.ts'
import type { Field, Sower } from './sowing.ts'
import { derivedTables, tableNames } from './tables.ts'
import type { World } from './world.ts'

/** Fills a world with the data of a scenario; `keys` are its API keys. Same seed, same start: the same records. */
export async function seedWorld(world: World, scenario: Scenario, keys: (organisation: number, role: string) => Pick<ApiKey, 'key' | 'permissions'>): Promise<void> {
  const [{ faker: english }, { seedTexts: texts }] = await Promise.all([import('@faker-js/faker/locale/en'), import('../generated/texts/index.ts')])
  const { random, options } = world
  const faker = random.faker(english)
  world.faker = faker
  world.texts = texts
  const sower = createSower({ random, faker, texts, now: options.start, transcodingMs: options.transcodingMs })
  sowOrganisations(sower, scenario, keys)
  const accounts = scenario.organisations.flatMap((organisation) => organisation.accounts)
  for (const account of accounts) sowAccount(sower, account)
  sowLastSeen(sower)
  sowPlaces(sower)
  for (const name of tableNames) {
    if (!derivedTables.includes(name)) anyTable(world.db, name).load(withOwn(sower.rows[name], scenario.records[name] ?? []))
  }
  world.keepAsOrigin()
}

/** Records by hand beside the sown ones, or in their place. */
function withOwn(sown: readonly { id: Id }[], own: readonly { id: Id }[]): readonly { id: Id }[] {
  if (own.length === 0) return sown
  const ids = new Set(own.map(({ id }) => id))
  return [...sown.filter(({ id }) => !ids.has(id)), ...own]
}

function sowOrganisations(sower: Sower, { organisations }: Scenario, keys: Parameters<typeof seedWorld>[2]): void {
  const { rows } = sower
  for (const [index, { name, limits, credits, isSubscriptionActive, tags, roles, accounts }] of organisations.entries()) {
    const id = index + 1
    rows.organisations.push({ id, name, limits, credits, isSubscriptionActive })
    rows.tags.push(...tags.map((tag) => ({ id: sower.nextId('tags'), organisation: id, ...tag, created_at: toIso(daysAgo(sower, 400)) })))
    for (const role of Object.keys(roles)) rows.apiKeys.push({ id: rows.apiKeys.length + 1, role, organisation: id, ...keys(id, role) })
    rows.accounts.push(...accounts.map((account) => toAccount(sower, account, id)))
  }
}

function toAccount(sower: Sower, { id, username, name, about, subscribePrice, session, connected }: ScenarioAccount, organisation: number): Account {
  const avatar = `https://public.platform.example/files/${id}/avatar.jpg`
  return { id, organisation, username, name, avatar, about, subscribePrice, joinDate: toIso(daysAgo(sower, 760)), session, connected }
}

function sowAccount(sower: Sower, { id, data }: ScenarioAccount): void {
  const account = sower.rows.accounts.find((candidate) => candidate.id === id)
  if (account === undefined) return
  const field: Field = { account, data }
  sower.rows.notificationSettings.push(defaultSettings(id))
  const vault = sowVault(sower, field)
  const posts = sowPosts(sower, field, vault)
  const fans = sowSubscriptions(sower, field, sowLinks(sower, field))
  sowTrialLinks(sower, field)
  const paidMessages = sowChats(sower, field, { fans, vault })
  sowTransactions(sower, field, { fans, posts, paidMessages })
  markStreamPayments(sower, field)
  sowComments(sower, field, { posts, fans })
  giveEngagement(vault, posts)
  sowReleaseForms(sower, field, vault)
  sowMassMessages(sower, field, { fans, vault })
  sowNotifications(sower, field)
  sowPayouts(sower, field)
  sowReferrals(sower, field)
  sowUsers(sower, field, fans)
  sowStories(sower, field, { fans, vault })
  sowChatStates(sower, field)
}
