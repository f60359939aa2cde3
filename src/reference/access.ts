import { useState } from 'preact/hooks'
import { storedToken } from '../console/shared/api.ts'
import type { Api } from '../console/shared/api.ts'
import { useLoad } from '../console/shared/hooks.ts'
import type { DocumentName } from './place.ts'
import type { About } from './types.ts'

/** With what requests of the page are sent. */
export interface Access {
  /**
   * Keys and accounts; undefined while they are not known, or to whoever lacks the token of the
   * control plane.
   */
  about: About | undefined
  /** Why they are not known. */
  error: string | undefined
  /** The key of a role that is taken; undefined where another key is typed. */
  chosen: About['keys'][number] | undefined
  /** The key, or the token for requests to the control plane. Empty without one. */
  key: string
  /** Takes the key of a role; undefined for one that is typed. */
  choose: (key: string | undefined) => void
  type: (key: string) => void
}

/** Keeps which key the requests of the page are sent with, from one operation to the next. */
export function useAccess(api: Api, document: DocumentName): Access {
  const { data: about, error } = useLoad(() => api.get<About>('_sandbox/state'), '')
  const [own, setOwn] = useState<string | null>()
  const [typed, setTyped] = useState(document === 'control' ? (storedToken() ?? '') : '')
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
