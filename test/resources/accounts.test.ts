import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

describe('GET accounts', () => {
  it('lists only the connected accounts of the organisation, and marks lapsed sessions', async () => {
    const client = await openClient('agency')
    const { accounts } = client.db
    for (const { id } of accounts.where({ session: 'lapsed' }))
      accounts.update(id, { session: 'active' })
    const connected = accounts.where({ organisation: 1, connected: true })
    const read = async (key = 'owner') => (await client.getData('/v1/accounts', { key })).list
    expect((await read()).map(({ id }: { id: string }) => Number(id))).toEqual(idsOf(connected))
    expect(await read('partner')).toHaveLength(1)
    client.sandbox.act([
      { type: 'session.lapse', account_id: connected[0]!.id },
      { type: 'account.disconnect', account_id: connected[1]!.id },
    ])
    expect((await read()).map(({ status }: { status: string }) => status)).toEqual([
      'sync_lost',
      ...connected.slice(2).map(() => 'active'),
    ])
  })
})

describe('GET me/start-date', () => {
  it('returns the time when the account joined the platform, unless its session has lapsed', async () => {
    const client = await openClient()
    const account = client.account()
    expect(await client.getData('me/start-date')).toEqual({
      startDate: toPlatformTime(client.db.accounts.get(account)!.joinDate),
    })
    client.sandbox.act({ type: 'session.lapse', account_id: account })
    expect((await client.get('me/start-date')).status).toBe(424)
  })
})
