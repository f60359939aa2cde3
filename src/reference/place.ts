import { worldOfPage } from '../console/shared/api.ts'
import { decodePart, useHash } from '../console/shared/hash.ts'

/** The documents of a server, by the first part of the hash. */
export const documents = {
  api: { title: 'API', address: 'openapi.json' },
  control: { title: 'Control plane', address: '_sandbox/openapi.json' },
} as const
export type DocumentName = keyof typeof documents

/** The content of the page, from its hash: `#api/listPosts`, `#api/Posts` or `#control`. */
export interface Place {
  document: DocumentName
  /** The id of an operation, its method and path, or the name of a group. */
  item?: string | undefined
}

/** Parses a hash. An unknown one leads to the start of the API. */
export function readPlace(hash: string): Place {
  const [, name = '', item] = /^#?([^/]*)(?:\/(.*))?$/s.exec(hash) ?? []
  if (!(name in documents)) return { document: 'api' }
  return {
    document: name as DocumentName,
    item: item === undefined || item === '' ? undefined : decodePart(item),
  }
}

/** Formats a place as a hash. */
export function toHash({ document, item }: Place): string {
  return `#${document}${item === undefined ? '' : `/${encodeURIComponent(item)}`}`
}

/** The address of the console of this sandbox. `hash` selects its content. */
export function consoleAddress(hash = ''): string {
  const world = worldOfPage()
  return `_sandbox/${world === undefined ? '' : `?world=${encodeURIComponent(world)}`}${hash}`
}

/** Tracks the place in the address. */
export function usePlace(): Place {
  return readPlace(useHash())
}
