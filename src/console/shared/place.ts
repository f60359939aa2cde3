import { useEffect, useState } from 'preact/hooks'

/** The views of the page, and what their tabs are called. */
export const views = {
  overview: 'Overview',
  requests: 'Requests',
  actions: 'Actions and faults',
  data: 'Data',
  access: 'Keys and scenario',
  audit: 'Audit and cost',
  worlds: 'Worlds',
} as const
export type View = keyof typeof views | 'stage'

/** What the page shows, as its address has it: `#requests/121?status=4`. */
export interface Place {
  view: View
  /** What of the view is open, such as the id of a request. */
  item?: string | undefined
  /** Filters of the view. */
  filters?: Readonly<Record<string, string>> | undefined
}

/** Reads an address. What it does not know is the overview. */
export function readPlace(
  hash: string,
): Required<Place> | (Place & { filters: Readonly<Record<string, string>> }) {
  const [, name = '', item, query = ''] = /^#?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
  const view = name === 'stage' || name in views ? (name as View) : 'overview'
  return {
    view,
    item: item === undefined || item === '' ? undefined : decodeURIComponent(item),
    filters: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Writes a place as the end of an address. */
export function toHash({ view, item, filters = {} }: Place): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
  return `#${view}${item === undefined ? '' : `/${encodeURIComponent(item)}`}${query}`
}

/** What the page shows now. */
export function placeNow(): ReturnType<typeof readPlace> {
  return readPlace(location.hash)
}

/**
 * Shows a place. A step of the way back leads to the one before, unless the new one replaces it.
 */
export function showPlace(place: Place, { replace = false }: { replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = toHash(place)
    return
  }
  history.replaceState(null, '', toHash(place))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** The address of the page, to share. */
export function placeLink(): string {
  return location.href
}

/** Leaves a place for the overview. */
export function leavePlace(): void {
  showPlace({ view: 'overview' })
}

/** Follows what the page shows. */
export function usePlace(): ReturnType<typeof readPlace> {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const update = () => setPlace(placeNow())
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return place
}

/** Where each tab was left, so that it comes back with its filters and its selection. */
export function useLeftPlaces(place: Place): Partial<Record<View, string>> {
  const [left, setLeft] = useState<Partial<Record<View, string>>>({})
  useEffect(
    () => setLeft((before) => ({ ...before, [place.view]: toHash(place) })),
    [toHash(place)],
  )
  return left
}
