import { ErrorMessage } from '../forms/error-message.tsx'
import { getApiUrl } from '../shared/request-export.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { formatCount } from '../../shared/format.ts'
import { useStoreState, useCommandRunner, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'

/** Shows the URL, keys and accounts that a client's configuration needs. */
export function AccessPanels() {
  const about = useStoreState((state) => state.about)
  const address = getApiUrl()
  return (
    <div class="columns">
      <div class="stack">
        <Panel title="Address">
          <p class="row">
            <code class="grow">{address}</code>{' '}
            <CopyButton text={address} what="the address of the API" />
          </p>
          <p class="help">
            The <a href={`../docs${location.search}`}>documents</a> describe every route, with a
            form to try it.
          </p>
        </Panel>
        <Panel title="Keys" aside={<a href="#actions/key.create">New key</a>}>
          <ul class="list">
            {about?.keys.map(({ key, role, organisation, permissions }) => (
              <li key={key}>
                <div class="grow">
                  <strong>{role}</strong>{' '}
                  <span class="help">
                    {about.organisations.find(({ id }) => id === organisation)?.name}
                  </span>
                  <div>
                    <code class="key">{key}</code>{' '}
                    <CopyButton text={key} what={`the key of ${role}`} />
                  </div>
                  <details>
                    <summary>{formatCount(permissions.length, 'permission')}</summary>
                    <p class="help">{permissions.join(', ')}</p>
                  </details>
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
      <AccountsPanel />
    </div>
  )
}

/** Shows the accounts with their ids, and commands for their sessions and connections. */
export function AccountsPanel() {
  const { api } = useStore()
  const { error, run } = useCommandRunner()
  const accounts = useStoreState((state) => state.pulse?.accounts) ?? []
  const about = useStoreState((state) => state.about)
  const act = (type: string, id: number) =>
    run(() => api.send('POST', 'actions', { type, account_id: id }))
  return (
    <Panel title="Accounts and sessions">
      <ErrorMessage text={error} />
      <ul class="list accounts">
        {accounts.map(({ id, session, connected }) => {
          const account = about?.accounts.find((each) => each.id === id)
          const name = account?.username ?? String(id)
          const organisation = about?.organisations.find(
            (each) => each.id === account?.organisation,
          )?.name
          const isActive = session === 'active'
          return (
            <li key={id}>
              <div class="grow">
                <strong>{name}</strong> <code>{id}</code>{' '}
                <CopyButton text={String(id)} what={`the id of ${name}`} />
                <div class="help">{organisation}</div>
              </div>
              <span class={`badge ${connected && isActive ? 'good' : 'warn'}`}>
                {connected ? `session ${session}` : 'disconnected'}
              </span>
              <button
                type="button"
                disabled={!connected}
                aria-label={`${isActive ? 'Lapse' : 'Restore'} the session of ${name}`}
                onClick={() => act(isActive ? 'session.lapse' : 'session.restore', id)}
              >
                {isActive ? 'Lapse' : 'Restore'}
              </button>
              <button
                type="button"
                aria-label={`${connected ? 'Disconnect' : 'Connect'} ${name}`}
                onClick={() => act(connected ? 'account.disconnect' : 'account.connect', id)}
              >
                {connected ? 'Disconnect' : 'Connect'}
              </button>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
