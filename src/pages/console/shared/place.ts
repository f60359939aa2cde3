import { useRef } from 'preact/hooks'
import { useStoreState } from '../../shared/hooks.ts'
import { decodeHashPart, useHash } from '../../shared/hash.ts'

/** Views of the page, with their tab titles. */
export const views = {
  overview: 'Overview',
  requests: 'Requests',
  actions: 'Actions and faults',
  data: 'Data',
  access: 'Keys and accounts',
  audit: 'Audit and cost',
} as const
export type View = keyof typeof views | 'stage'

/** Part of the page that the URL hash selects, such as `#requests/121?status=4`. */
export interface Place {
  view: View
  /** Item that is open in the view, such as a request id. */
  item?: string | undefined
  /** Name in the hash if it is not the name of a view. */
  unknown?: string | undefined
  filters?: Readonly<Record<string, string>> | undefined
}

/** Parses a hash. An unknown hash selects the overview, which then shows an error. */
export function readPlace(hash: string): Place {
  const [, name = '', item, query = ''] = /^#?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
  const isView = name === 'stage' || Object.hasOwn(views, name)
  return {
    view: isView ? (name as View) : 'overview',
    unknown: isView || name === '' ? undefined : decodeHashPart(name),
    item: item === undefined || item === '' ? undefined : decodeHashPart(item),
    filters: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Formats a place as a hash. */
export function toHash({ view, item, filters = {} }: Place): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
  return `#${view}${item === undefined ? '' : `/${encodeURIComponent(item)}`}${query}`
}

/** Navigates to a place. With `replace`, adds no entry to the browser history. */
export function navigateTo(place: Place, { replace = false }: { replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = toHash(place)
    return
  }
  history.replaceState(null, '', toHash(place))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** Tracks the place in the URL. */
export function usePlace(): Place {
  return readPlace(useHash())
}

/**
 * Returns the last hash of each view, so that a tab reopens with its previous filters and
 * selection. Another scenario has other records, so the hashes from before it are discarded.
 */
export function useLastHashes(place: Place): Partial<Record<View, string>> {
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const last = useRef<{ scenario: string | undefined; hashes: Partial<Record<View, string>> }>({
    scenario,
    hashes: {},
  })
  if (last.current.scenario !== scenario) last.current = { scenario, hashes: {} }
  const { hashes } = last.current
  hashes[place.view] = toHash(place)
  return hashes
}
