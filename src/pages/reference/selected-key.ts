import { useState } from 'preact/hooks'
import { readStoredToken } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { useLoadedData } from '../shared/hooks.ts'
import type { DocumentName } from './place.ts'
import type { About } from './types.ts'

/** Credentials for the requests that the page sends. */
export interface Access {
  /**
   * The sandbox's keys and accounts. Undefined until they are loaded, or without a control token.
   */
  about: About | undefined
  /** Error message if keys and accounts could not be loaded. */
  error: string | undefined
  /** The selected key, or undefined if the user entered another one. */
  chosen: About['keys'][number] | undefined
  /** API key, or control token for requests to the control plane. Empty if there is none. */
  key: string
  /** Selects the given key. If undefined, selects the key that the user entered. */
  choose: (key: string | undefined) => void
  type: (key: string) => void
}

/** Keeps the selected key while the user switches between operations. */
export function useSelectedKey(api: Api, document: DocumentName): Access {
  const { data: about, error } = useLoadedData(() => api.get<About>('_sandbox/state'), '')
  const [own, setOwn] = useState<string | null>()
  const [typed, setTyped] = useState(document === 'control' ? (readStoredToken() ?? '') : '')
  const keys = document === 'control' ? [] : (about?.keys ?? [])
  const usual = keys.find(({ role }) => role === 'owner') ?? keys[0]
  const chosen = own === undefined ? usual : keys.find(({ key }) => key === own)
  return {
    about,
    error,
    chosen,
    key: chosen?.key ?? typed,
    choose: (key) => setOwn(key ?? null),
    type: setTyped,
  }
}
