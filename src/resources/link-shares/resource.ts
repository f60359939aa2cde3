import { getSnapshotRows } from '../../data/tables.ts'
import { defineResource } from '../define.ts'
import type { LinkShare } from './link-shares.table.ts'
import { renewShareTokens } from './link-shares.ts'
import { linkShareRoutes } from './routes.ts'

export const linkShares = defineResource({
  name: 'link-shares',
  routes: linkShareRoutes,
  examples: ({ own }) => ({ address: { token: own('linkShares', { expiresAt: null })['id'] } }),
  renewSecrets: (world, origin) =>
    renewShareTokens(
      world,
      origin === undefined ? [] : getSnapshotRows<LinkShare>(origin.tables, 'linkShares'),
    ),
})
