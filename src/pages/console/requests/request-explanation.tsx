import { FactList } from '../shared/fact-list.tsx'
import { useStoreState } from '../../shared/hooks.ts'
import { toHash } from '../shared/place.ts'
import { RecordLink } from '../shared/record-link.tsx'
import { getGuideUrl, RouteLink } from '../shared/routes.tsx'
import type { Audit, Entry } from '../../shared/types.ts'

/** Explains a response, with links to its causes. */
export function RequestExplanation({
  entry,
  findings,
}: {
  entry: Entry
  findings: Audit['findings']
}) {
  const accounts = useStoreState((state) => state.about?.accounts ?? [])
  const { account_id: account, code, route, key, fault } = entry
  const username = accounts.find(({ id }) => id === account)?.username
  const remedies = listRemedies(entry)
  return (
    <>
      {entry.error === null && entry.note !== null && <p>{entry.note}</p>}
      {entry.error === null && findings.length === 0 && <p>No error and no finding.</p>}
      {findings.map(({ rule, message, advice }) => (
        <p key={rule} class="warning">
          <strong>{message}</strong> {advice}{' '}
          <a href={toHash({ view: 'audit', item: rule })}>Rule {rule}</a>
        </p>
      ))}
      {remedies.length > 0 && (
        <nav class="row" aria-label="What to do">
          {remedies.map(([text, address]) => (
            <a key={text} href={address}>
              {text}
            </a>
          ))}
        </nav>
      )}
      <NearMisses routes={entry.near_misses} />
      <FactList
        facts={[
          ['Error', entry.error],
          ['Error code', code === null ? null : <a href={getGuideUrl('errors/codes')}>{code}</a>],
          ['Route', route === null ? 'none' : <RouteLink route={route} />],
          ['Key', key === null ? 'none was sent' : <a href="#access">{key}</a>],
          [
            'Account',
            username === undefined || account === null ? (
              account
            ) : (
              <RecordLink table="accounts" id={account}>
                {username}
              </RecordLink>
            ),
          ],
          ['Credits', entry.credits],
          ['Fault', fault === null ? null : <a href="#actions/fault.add">fault {fault}</a>],
        ]}
      />
    </>
  )
}

type RemedyLink = readonly [text: string, address: string]

/** Returns links to actions that resolve an error, chosen by its code. */
function listRemedies({ code, fault, role, account_id: account }: Entry): readonly RemedyLink[] {
  const action = (type: string, filters: Readonly<Record<string, string>> = {}) =>
    toHash({ view: 'actions', item: type, filters })
  const ofAccount: Record<string, string> = account === null ? {} : { account_id: String(account) }
  const limits: readonly RemedyLink[] = [
    ['Set the limits', action('limits.set')],
    ['How limits work', getGuideUrl('limits/windows')],
  ]
  const keys: readonly RemedyLink[] = [
    ['Keys of this world', '#access'],
    ['How to send a key', getGuideUrl('authentication/key')],
  ]
  const byCode: Readonly<Record<string, readonly RemedyLink[]>> = {
    key_missing: keys,
    key_unknown: keys,
    minute_limit: limits,
    day_limit: limits,
    credits_exhausted: [
      ['Give credits', action('credits.set')],
      ['How credits work', getGuideUrl('limits/credits')],
    ],
    permission_missing: [
      ['Permissions of each key', '#access'],
      ['Change the role', action('role.change', role === null ? {} : { role })],
      ['How permissions work', getGuideUrl('authentication/permissions')],
    ],
    account_unknown: [['Accounts of this world', '#access']],
    session_lapsed: [['Restore the session', action('session.restore', ofAccount)]],
  }
  return [
    ...(code === null ? [] : (byCode[code] ?? [])),
    ...(fault === null ? [] : [['Faults in force', '#actions/fault.add'] as const]),
  ]
}

function NearMisses({ routes }: { routes: readonly string[] }) {
  if (routes.length === 0) return null
  return (
    <>
      <h3>Similar routes</h3>
      <ul>
        {routes.map((route) => (
          <li key={route}>
            <RouteLink route={route} />
          </li>
        ))}
      </ul>
    </>
  )
}
