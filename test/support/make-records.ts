import type { Sandbox } from 'creator-api-sandbox'
import { factories } from '../../src/resources/factories.ts'
import { tableDefinitions } from '../../src/resources/all-tables.ts'
import type { TableName } from '../../src/resources/all-tables.ts'

type AnyMake = Record<string, (fields?: object) => { id: number | string }>

/** Creates one record in each table. Ambiguous references point to records created earlier. */
export function makeRecordInEachTable(sandbox: Sandbox): Record<string, { id: number | string }> {
  const make = sandbox.make as unknown as AnyMake
  const made: Record<string, { id: number | string }> = {}
  for (const { name, table } of factories.kinds) {
    const { shape } = tableDefinitions[table as TableName].schema
    const named = {
      organisation: 'organisation',
      accountId: 'account',
      fanId: 'fan',
      userId: 'fan',
      postId: 'post',
      chatId: 'chat',
      listId: 'userList',
      linkId: 'trackingLink',
      promotionId: 'promotion',
    }
    const fields: Record<string, unknown> = Object.fromEntries(
      Object.entries(named).flatMap(([field, other]) => {
        const id = made[other]?.id
        const isRequired =
          field in shape &&
          (shape as Record<string, { def: { type: string } }>)[field]?.def.type !== 'default'
        return isRequired && id !== undefined ? [[field, id]] : []
      }),
    )
    if (['payoutSettings', 'vaultListOrder', 'notificationSettings'].includes(name))
      fields['id'] = made['account']?.id
    if (name === 'releaseForm') {
      const { id, username } = made['fan'] as { id: number; username: string }
      fields['user'] = {
        id,
        name: 'Mo',
        username,
        avatar: null,
        isVerified: false,
        ivStatus: 'approved',
        isFromGuest: true,
      }
    }
    made[name] = make[name]?.(fields) as { id: number | string }
  }
  return made
}
