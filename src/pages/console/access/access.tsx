import { getApiUrl } from '../shared/request-export.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { AccountsPanel } from './accounts.tsx'

/** Shows the URL, keys and accounts that a client's configuration needs. */
export function AccessPanels() {
  const about = useStoreState((state) => state.about)
  const address = getApiUrl()
  return (
    <div class="columns">
      <Panel title="Address">
        <p class="row">
          <code class="grow">{address}</code>{' '}
          <CopyButton text={address} what="the address of the API" />
        </p>
        <p class="help">
          The <a href={`../docs${location.search}`}>documents</a> describe every route, with a form
          to try it.
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
