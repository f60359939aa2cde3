import { fillIn } from '../../engine/text.ts'
import { append, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'

/** Seeds the release forms of two people who can be seen in some of the media: a partner and a guest. */
export function seedReleaseForms(seeding: Seeding, { account }: AccountPlan): void {
  const vault = ownRows(seeding.rows.vaultMedia, account)
  if (vault.length < 10) return
  const { first } = seeding.names
  const partner = first[account.id % first.length] ?? ''
  const guest = first[(account.id * 7 + 3) % first.length] ?? ''
  const toForm = (name: string, isFromGuest: boolean) => ({
    id: seeding.nextId('releaseForms'),
    accountId: account.id,
    name: fillIn(seeding.texts.vault.releaseForm, { NAME: name }),
    partnerSource: isFromGuest ? null : 'platform',
    type: isFromGuest ? ('guest' as const) : ('partner' as const),
    user: {
      id: account.id + (isFromGuest ? 2 : 1),
      name,
      username: name.toLowerCase(),
      avatar: null,
      isVerified: !isFromGuest,
      ivStatus: 'approved',
      isFromGuest,
    },
  })
  const forms = [toForm(partner, false), toForm(guest, true)]
  append(seeding.rows.releaseForms, forms)
  for (const media of vault) {
    if (media.id % 8 < 2) Object.assign(media, { releaseFormIds: forms.slice(0, 1 + (media.id % 8)).map(({ id }) => id) })
  }
}
