import { useId, useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import type { Access } from './selected-key.ts'
import type { DocumentName } from './place.ts'
import type { About, DescribedOperation } from './types.ts'

interface KeyProps {
  api: Api
  access: Access
  name: DocumentName
  operation: DescribedOperation
}

/** Selects the credentials of a request: a role's key, another key, or the control token. */
export function KeyPicker({ api, access, name, operation }: KeyProps) {
  if (name === 'control')
    return (
      <TypedKey
        access={access}
        label="Token"
        help="Required if the server was started with --control-token."
      />
    )
  if (operation.security?.length === 0) return <p class="help">Needs no key.</p>
  if (access.about === undefined)
    return (
      <>
        <TypedKey
          access={access}
          label="API key"
          help={access.error ?? 'Loading the keys of the sandbox …'}
        />
        {access.error !== undefined && <UnlockForm api={api} />}
      </>
    )
  return <RoleChoice access={access} about={access.about} permission={operation['x-permission']} />
}

interface RoleProps {
  access: Access
  about: About
  permission: string | undefined
}

function RoleChoice({ access, about, permission }: RoleProps) {
  const id = useId()
  const { chosen, choose } = access
  const nameOf = (organisation: number) =>
    about.organisations.find((each) => each.id === organisation)?.name ?? ''
  const isLacking =
    permission !== undefined && chosen !== undefined && !chosen.permissions.includes(permission)
  return (
    <>
      <div class="input wide">
        <label for={id}>Key of</label>
        <select
          id={id}
          value={chosen?.key ?? ''}
          onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : value)}
        >
          {about.keys.map(({ key, role, organisation }) => (
            <option key={key} value={key}>
              {role}, {nameOf(organisation)}
            </option>
          ))}
          <option value="">another key</option>
        </select>
      </div>
      {isLacking && (
        <p class="help">
          {chosen.role} lacks <code>{permission}</code>: the answer is 403.
        </p>
      )}
      {chosen === undefined && (
        <TypedKey access={access} label="API key" help="Without a key, the API returns 401." />
      )}
    </>
  )
}

function TypedKey({ access, label, help }: { access: Access; label: string; help: string }) {
  const id = useId()
  return (
    <div class="input">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={access.key}
        autocomplete="off"
        aria-describedby={`${id}-help`}
        onInput={(event) => access.type(event.currentTarget.value)}
      />
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  )
}

/**
 * Form for the control token, which gives access to the keys. As in the console, the token is
 * stored until the tab is closed.
 */
function UnlockForm({ api }: { api: Api }) {
  const id = useId()
  const [token, setToken] = useState('')
  const unlock = () => {
    api.unlock(token.trim())
    location.reload()
  }
  // Keeps Enter from submitting the surrounding form.
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    unlock()
  }
  return (
    <div class="input">
      <label for={id}>Token of the control plane</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
        onKeyDown={onEnter}
      />
      <button type="button" disabled={token.trim() === ''} onClick={unlock}>
        Show the keys of the roles
      </button>
    </div>
  )
}
