import type { World } from '../world.ts'
import type { ReleaseForm } from './release-forms.table.ts'
import type { VaultMedia } from './vault.table.ts'

/** Returns the release forms of a media item without their account id. */
export function getReleaseForms(world: World, media: VaultMedia): Omit<ReleaseForm, 'accountId'>[] {
  return media.releaseFormIds
    .flatMap((id) => world.db.releaseForms.get(id) ?? [])
    .map(({ id, name, partnerSource, type, user }) => ({ id, name, partnerSource, type, user }))
}
