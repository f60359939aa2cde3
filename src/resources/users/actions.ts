import { z } from 'zod'
import { accountId, createActionResult, requireAccount } from '../../api/action.ts'
import { defineAction } from '../define.ts'
import { deleteUser } from '../effects/delete-user.ts'
import { chooseFan, fanId, getFanName } from '../effects/pick-records.ts'

/** Deletes the profile of a fan. */
export const deleteProfile = defineAction({
  type: 'user.delete',
  summary:
    'A fan deletes their profile. Only the id is left: lists of subscribers omit the fan, and ' +
    'writing to the fan returns 403. Payments, messages and comments stay',
  schema: z.lazy(() => z.strictObject({ account_id: accountId, fan_id: fanId })),
  effect(world, { account_id, fan_id }) {
    const account = requireAccount(world, account_id)
    const { fanId: fan } = chooseFan(world, account, { fan_id })
    const name = getFanName(world, fan)
    deleteUser(world, fan)
    return createActionResult(`${name} deleted their profile`, { account: account.id, fan })
  },
})
