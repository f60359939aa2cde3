import { useEffect, useState } from 'preact/hooks'
import { worldOfPage } from '../console/shared/api.ts'

/** The documents of a server, by the first part of an address. */
export const documents = {
  api: { title: 'API', address: 'openapi.json' },
  control: { title: 'Control plane', address: '_sandbox/openapi.json' },
} as const
export type DocumentName = keyof typeof documents

/** What the page shows, as its address has it: `#api/listPosts`, `#api/Posts` or `#control`. */
export interface Place {
  document: DocumentName
  /** The id of an operation, its method and path, or the name of a group. */
  item?: string | undefined
}

/** Reads an address. What it does not know is the beginning of the API. */
export function readPlace(hash: string): Place {
  const [, name = '', item] = /^#?([^/]*)(?:\/(.*))?$/s.exec(hash) ?? []
  if (!(name in documents)) return { document: 'api' }
  return {
    document: name as DocumentName,
    item: item === undefined || item === '' ? undefined : decode(item),
  }
}

/** Writes a place as the end of an address. */
export function toHash({ document, item }: Place): string {
  return `#${document}${item === undefined ? '' : `/${encodeURIComponent(item)}`}`
}

/** The console of this sandbox, with what it is to show. */
export function consoleAddress(hash = ''): string {
  const world = worldOfPage()
  return `_sandbox/${world === undefined ? '' : `?world=${encodeURIComponent(world)}`}${hash}`
}

/** Follows what the page shows. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => readPlace(location.hash))
  useEffect(() => {
    const update = () => setPlace(readPlace(location.hash))
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return place
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // it was cut in the middle: then it names nothing
  }
}
