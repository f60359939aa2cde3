import { toPictureUrl } from '../../world/public-files.ts'
import { addWorldToKey } from '../../world/world-name.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

/**
 * Fills in missing fields of organisations. Defaults: the rate limits shown in the reference, and
 * unlimited credits.
 */
export const organisationFactory = defineFactory({
  name: 'organisation',
  table: 'organisations',
  complete: (_, context) => ({
    name: `${capitalise(context.random.pick(createTextSources(context).texts.names.nouns))} Agency`,
    limits: { minute: 1000, day: 50_000 },
    credits: null,
    isSubscriptionActive: true,
  }),
})

/**
 * Fills in missing fields of API keys. By default, a key with a known role gets the permissions of
 * that role, and any other key gets all permissions that exist in the world.
 */
export const apiKeyFactory = defineFactory({
  name: 'apiKey',
  table: 'apiKeys',
  complete({ role = 'made', organisation }, context) {
    const { apiKeys, organisations } = context.world.db
    const keys = apiKeys.all()
    const alike = keys.find((key) => key.role === role)
    return {
      role,
      organisation:
        organisation ?? context.only('organisation', organisations.slice(0, 11), 'organisation'),
      key: addWorldToKey(
        `sk_made_${role}_${context.random.uuid().replaceAll('-', '').slice(0, 24)}`,
        context.world.id,
      ),
      permissions: [
        ...(alike?.permissions ?? new Set(keys.flatMap(({ permissions }) => permissions))),
      ],
    }
  },
})

/**
 * Fills in missing fields of accounts. By default, accounts are connected and have an active
 * session.
 */
export const accountFactory = defineFactory({
  name: 'account',
  table: 'accounts',
  time: 'joinDate',
  complete({ organisation, username }, context) {
    const { random, id, iso, world } = context
    const { texts } = createTextSources(context)
    const { names } = texts
    const called = random.pick(names.first)
    return {
      organisation:
        organisation ??
        context.only('organisation', world.db.organisations.slice(0, 11), 'organisation'),
      username:
        username ??
        `${called}_${random.pick(names.nouns)}${random.integer(1, 99)}`
          .toLowerCase()
          .replace(/[^a-z\d_]/g, ''),
      name: called,
      avatar: toPictureUrl(id),
      about: random.pick(texts.profiles.abouts),
      subscribePrice: 9.99,
      joinDate: iso,
      session: 'active' as const,
      connected: true,
      persona: random.pick(Object.keys(texts.personas)),
    }
  },
})

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
