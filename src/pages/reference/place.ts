import { getPageWorld } from '../shared/api.ts'
import { decodeHashPart, useHash } from '../shared/hash.ts'

/** Documents of a server, by the first part of the hash. */
export const documents = {
  api: { title: 'API', address: 'openapi.json', withResponses: 'openapi.json?responses=true' },
  control: { title: 'Control plane', address: '_sandbox/openapi.json', withResponses: undefined },
} as const
export type DocumentName = keyof typeof documents

/** Sections of the API page, apart from its operations. */
export type Section = 'guides' | 'models'

/**
 * Part of the page that the URL hash selects: `#api/listPosts`, `#api/Posts`, `#control`,
 * `#guides/limits/retry` or `#models/FeedPost`.
 */
export interface Place {
  document: DocumentName
  section?: Section | undefined
  /**
   * An operation (by id, or by method and path), a group name, a guide and its section, or a model.
   */
  item?: string | undefined
}

/** Parses a hash. An unknown hash selects the start page of the API. */
export function readPlace(hash: string): Place {
  const [, name = '', rest] = /^#?([^/]*)(?:\/(.*))?$/s.exec(hash) ?? []
  const item = rest === undefined || rest === '' ? undefined : decodeHashPart(rest)
  if (name === 'guides' || name === 'models') return { document: 'api', section: name, item }
  return name in documents ? { document: name as DocumentName, item } : { document: 'api' }
}

/** Formats a place as a hash. */
export function toHash({ document, section, item }: Place): string {
  const path = item === undefined ? '' : `/${encodeURIComponent(item).replaceAll('%2F', '/')}`
  return `#${section ?? document}${path}`
}

/** Returns the URL of the sandbox's console. `hash` selects the view. */
export function getConsoleUrl(hash = ''): string {
  const world = getPageWorld()
  return `_sandbox/${world === undefined ? '' : `?world=${encodeURIComponent(world)}`}${hash}`
}

/** Returns the current place, updated when the URL changes. */
export function usePlace(): Place {
  return readPlace(useHash())
}
