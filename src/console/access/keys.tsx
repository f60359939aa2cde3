import { CopyButton } from '../shared/copy.tsx'
import { useShared } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { AccountsPanel } from './accounts.tsx'

/** What a client needs: the address, the keys, the accounts. */
export function KeysPanel() {
  const about = useShared((state) => state.about)
  const address = new URL('..', document.baseURI).href.replace(/\/$/, '')
  return (
    <div class="stack">
      <Panel title="Address">
        <p class="row">
          <code class="grow">{address}</code>{' '}
          <CopyButton text={address} what="the address of the API" />
        </p>
        <p class="help">
          Every route can be read about and tried in the{' '}
          <a href={`../docs${location.search}`}>documents</a>.
        </p>
      </Panel>
      <Panel title="Keys">
        <ul class="list">
          {about?.keys.map(({ key, role, organisation, permissions }) => (
            <li key={key}>
              <div class="grow">
                <strong>{role}</strong>{' '}
                <span class="help">
                  {about.organisations.find(({ id }) => id === organisation)?.name}
                </span>
                <div>
                  <code class="key">{key}</code>
                </div>
                <details>
                  <summary>{permissions.length} permissions</summary>
                  <p class="help">{permissions.join(', ')}</p>
                </details>
              </div>
              <CopyButton text={key} what={`the key of ${role}`} />
            </li>
          ))}
        </ul>
      </Panel>
      <AccountsPanel />
    </div>
  )
}
