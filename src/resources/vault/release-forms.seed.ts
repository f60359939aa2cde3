import { toPictureUrl } from '../../world/public-files.ts'
import { fillPlaceholders } from '../../lib/text.ts'
import { dayMs, hourMs, toIsoTime } from '../../lib/time.ts'
import { createRandom } from '../../world/random.ts'
import { appendRows } from '../../seed/seeding.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import type { Fan } from '../fans/fans.table.ts'
import { findUnusedUsername } from '../fans/new-fan.ts'
import { getMediaAsset } from '../media/signatures.ts'

/** Topics of pictures that show people. */
const topicsWithPeople = new Set(['people', 'harbor-people', 'race', 'yoga', 'diver'])

/**
 * Seeds the release forms of a partner and a guest. The partner and the guest appear in some of the
 * media that show people.
 */
export function seedReleaseForms(seeding: SeedContext, { account }: AccountPlan): void {
  const vault = seeding.rows.vaultMedia.filter(({ senderId }) => senderId === undefined)
  if (vault.length < 10) return
  const { person } = seeding.fakers.at('en', seeding.branch('people').random)
  const [partner, guest] = [person.firstName(), person.firstName()]
  const toForm = (name: string, isFromGuest: boolean) => {
    const user = addUser(seeding, name, isFromGuest ? 0 : (seeding.texts.prices.creators[0] ?? 0))
    return {
      id: seeding.nextId('releaseForms'),
      accountId: account.id,
      name: fillPlaceholders(seeding.texts.vault.releaseForm, { NAME: name }),
      partnerSource: isFromGuest ? null : 'platform',
      type: isFromGuest ? ('guest' as const) : ('partner' as const),
      user: {
        id: user.id,
        name,
        username: user.username,
        avatar: null,
        isVerified: !isFromGuest,
        ivStatus: 'approved',
        isFromGuest,
      },
    }
  }
  const forms = [toForm(partner, false), toForm(guest, true)]
  appendRows(seeding.rows.releaseForms, forms)
  const withPeople = vault.filter((media) =>
    getMediaAsset(media).topics.some((topic) => topicsWithPeople.has(topic)),
  )
  // The number of forms repeats: two, none, one.
  for (const [index, media] of withPeople.entries())
    Object.assign(media, { releaseFormIds: forms.slice(0, (index + 2) % 3).map(({ id }) => id) })
}

/** Adds the platform user that a release form refers to. */
function addUser(
  { rows, now, nextUserId, random, reserveUsername }: SeedContext,
  name: string,
  subscribePrice: number,
): Fan {
  const id = nextUserId(now - random.integer(700 * dayMs, 2000 * dayMs))
  const fan = {
    id,
    name,
    username: findUnusedUsername(pickCreatorUsername(id, name), reserveUsername),
    avatar: toPictureUrl(id),
    subscribePrice,
    lastSeen: toIsoTime(now - random.integer(2 * hourMs, 9 * dayMs)),
  }
  rows.fans.push(fan)
  return fan
}

/** Picks a typical username of a creator. */
function pickCreatorUsername(id: number, name: string): string {
  const random = createRandom(0, 'creator username', id)
  const lower = name.toLowerCase().replace(/[^a-z]/g, '')
  const word = random.pick(['official', 'studio', 'films', 'outside', 'daily', 'moves'])
  const year = random.integer(85, 99)
  return random.pick([
    `${lower}.${word}`,
    `${lower}_${word}`,
    `its.${lower}`,
    `${lower}_${year}`,
    `hey${lower}`,
  ])
}
