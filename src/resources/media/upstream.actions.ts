import { z } from 'zod'
import { createActionResult, requireAccount } from '../../api/action.ts'
import { FaultInput } from '../../world/fault.ts'
import { errorCatalogue } from '../../error-catalogue.ts'
import { defineAction } from '../define.ts'

/**
 * Makes the platform reject uploaded files by adding a fault to the media proxy. Like any other
 * fault, it can be removed.
 */
export const refuseUpstream = defineAction({
  type: 'upstream.refuse',
  summary: 'Make the platform refuse to serve media files, so that their links return 502',
  schema: z.lazy(() =>
    z.strictObject({
      account_id: z
        .int()
        .optional()
        .describe(
          'The account whose media files the platform refuses to serve. Default: every account.',
        ),
      times: FaultInput.unwrap().shape.times,
    }),
  ),
  effect(world, { account_id, times }) {
    const whose =
      account_id === undefined ? 'every account' : requireAccount(world, account_id).username
    const { status, message } = errorCatalogue.upstream_refused
    const { id } = world.faults.add({
      route: 'GET /media-proxy',
      status,
      error: message,
      account_id,
      times,
    })
    const howOften = times === undefined ? '' : `, ${times === 1 ? 'once' : `${times} times`}`
    return createActionResult(`The platform refuses to serve files of ${whose}${howOften}`, {
      account: account_id,
      fault: id,
    })
  },
})
