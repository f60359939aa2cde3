import type { FormSchema } from '../forms/fields.ts'
import { useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import type { ActionDescription, Fault } from '../../shared/types.ts'
import type { Api } from '../../shared/api.ts'
import { formatCount } from '../../shared/format.ts'

/** Wording of an action in the console. */
interface ActionWording {
  title: string
  /** Label of the button. */
  button: string
  /**
   * Fields that are always shown.
   * @default the first three in the schema, and the account
   */
  first?: readonly string[]
}

/** Wording of each action, in display order. */
export const wordings: Readonly<Record<string, ActionWording>> = {
  tip: { title: 'Tip', button: 'Send tip' },
  'subscriber.new': {
    title: 'New subscriber',
    button: 'Subscribe',
    first: ['name', 'price', 'account_id'],
  },
  'subscriber.renew': { title: 'Renewal', button: 'Renew' },
  'subscriber.expire': { title: 'Expired subscription', button: 'Expire' },
  'message.from_fan': { title: 'Message from a fan', button: 'Send message' },
  'message.read': { title: 'Fan reads messages', button: 'Read messages' },
  'message.unlock': { title: 'Unlocked message', button: 'Unlock message' },
  'post.publish': { title: 'New post', button: 'Publish post' },
  'post.like': { title: 'Likes of a post', button: 'Like post' },
  'post.view': { title: 'Views of a post', button: 'View post' },
  'post.comment': { title: 'Comment on a post', button: 'Comment' },
  'post.unlock': { title: 'Unlocked post', button: 'Unlock post' },
  'user.delete': { title: 'Deleted profile', button: 'Delete profile' },
  'link.claim': {
    title: 'Claimed link',
    button: 'Claim link',
    first: ['tracking_link_id', 'trial_link_id', 'name'],
  },
  'transaction.settle': { title: 'Payment completes', button: 'Settle payment' },
  'transaction.reverse': { title: 'Payment is reversed', button: 'Reverse payment' },
  'media.ready': { title: 'Media finish transcoding', button: 'Finish media' },
  'session.lapse': { title: 'Session lapses', button: 'Lapse session' },
  'session.restore': { title: 'Session is restored', button: 'Restore session' },
  'account.disconnect': { title: 'Account is disconnected', button: 'Disconnect account' },
  'account.connect': { title: 'Account is connected', button: 'Connect account' },
  'limits.set': { title: 'Rate limits', button: 'Set limits' },
  'credits.set': { title: 'Credits', button: 'Set credits' },
  'key.create': { title: 'New key', button: 'Create key' },
  'key.revoke': { title: 'Revoked key', button: 'Revoke key' },
  'role.change': { title: 'Permissions of a role', button: 'Change role' },
  'fault.add': { title: 'Fault', button: 'Add fault', first: ['route', 'status', 'times'] },
  'fault.clear': { title: 'Remove faults', button: 'Remove faults' },
  'upstream.refuse': { title: 'Platform refuses media files', button: 'Refuse files' },
  'clock.advance': { title: 'Time passes', button: 'Advance clock' },
  'variation.set': { title: 'Varied responses', button: 'Vary responses' },
  note: { title: 'Caption', button: 'Show caption' },
}

/** An action with its labels and the schema of its fields. */
export interface ShownAction extends ActionWording {
  type: string
  summary: string
  schema: FormSchema
}

const order = Object.keys(wordings)

/** Returns the actions in the order of `wordings`. */
export function useActions(): readonly ShownAction[] {
  const { api } = useStore()
  const { data = [] } = useLoadedData(() => api.get<ActionDescription[]>('actions'), '')
  return data
    .map(({ type, summary, schema }) => ({
      ...(wordings[type] ?? { title: type, button: type }),
      type,
      summary,
      schema: schema as FormSchema,
    }))
    .toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** Minimum interval between updates, ms. */
const followMs = 500

/** Returns the active faults, updated when requests use them up. */
export function useFaults() {
  const { api } = useStore()
  const inForce = useStoreState((state) => state.pulse?.faults ?? 0)
  const requests = useStoreState((state) => state.requests.total)
  const { data, reload } = useLoadedData(
    async () => (inForce === 0 ? [] : api.get<Fault[]>('faults')),
    `${inForce} ${inForce > 0 && requests}`,
    { pauseMs: followMs },
  )
  return { faults: data ?? [], isLoading: inForce > 0 && data === undefined, reload }
}

/** Removes faults. Returns a function that adds them again and shows a confirmation. */
export async function removeFaults(
  api: Api,
  faults: readonly Fault[],
): Promise<() => Promise<string>> {
  for (const { id } of faults) await api.send('DELETE', `faults/${id}`)
  return async () => {
    for (const { id: _id, matched: _matched, fired: _fired, ...input } of faults)
      await api.send('POST', 'faults', input)
    return `Added ${formatCount(faults.length, 'fault')} again.`
  }
}
