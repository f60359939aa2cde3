import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { seedBuiltInLists } from './built-in-lists.seed.ts'
import {
  completeManualVaults,
  registerBuiltInListUpdaters,
  createVaultInitialiser,
} from './built-in-lists.ts'
import { seedBrokenMedia } from './broken-media.seed.ts'
import { seedMediaEngagement } from './engagement.seed.ts'
import { vaultInvariants } from './invariants.ts'
import { vaultListRoutes } from './lists.routes.ts'
import { seedReleaseForms } from './release-forms.seed.ts'
import { vaultRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { seedUploadTimes } from './upload-times.seed.ts'
import { seedVault } from './seed.ts'
import { vaultSizes } from './sizes.ts'
import { findNextTranscodingEnd } from './vault.ts'

export const vault = defineResource({
  name: 'vault',
  groups: {
    Vault: {
      about: "An account's media and their lists.",
      examples: ({ own }) => ({
        address: { list_id: own('vaultLists', { canUpdate: true })['id'] },
        body: { sort: 'name', order: 'asc' },
      }),
    },
  },
  routes: [...vaultRoutes, ...vaultListRoutes],
  schemas: [schemas],
  examples: ({ own }) => {
    const { id, hash, size } = own('vaultMedia')
    return { address: { media_id: id, h: hash, size }, body: { media_ids: toIdList(id) } }
  },
  sizes: vaultSizes,
  seeds: [
    { name: 'vault', account: seedVault },
    {
      name: 'engagement of media',
      after: ['posts', 'payments for posts'],
      account: seedMediaEngagement,
    },
    {
      name: 'release forms',
      after: ['vault', 'follows'],
      account: seedReleaseForms,
    },
    {
      name: 'places of media',
      after: ['posts', 'chat states', 'stories', 'mass messages'],
      account: seedBuiltInLists,
    },
    {
      name: 'upload times',
      after: ['posts', 'chat states', 'stories', 'mass messages'],
      account: seedUploadTimes,
    },
    {
      name: 'broken media',
      after: ['posts', 'chat states', 'stories', 'mass messages'],
      account: seedBrokenMedia,
    },
  ],
  completeRecords: completeManualVaults,
  listeners: [
    { name: 'places of media', attach: registerBuiltInListUpdaters },
    {
      name: 'built-in lists',
      attach: (world) => world.db.accounts.onChange(createVaultInitialiser(world)),
    },
  ],
  agenda: [{ name: 'transcoding', next: findNextTranscodingEnd }],
  invariants: vaultInvariants,
})
