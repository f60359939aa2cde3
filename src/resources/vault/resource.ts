import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { completeManualVaults, vaultInvariants } from './built-in-lists.ts'
import { vaultListRoutes } from './lists.routes.ts'
import { vaultRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { vaultSizes } from './vault.table.ts'

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
    const { id, hash, size } = own('vaultMedia', { senderId: undefined })
    return { address: { media_id: id, h: hash, size }, body: { media_ids: toIdList(id) } }
  },
  sizes: vaultSizes,
  completeRecords: completeManualVaults,
  invariants: vaultInvariants,
})
