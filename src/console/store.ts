import { ControlError } from './api.ts'
import type { Api } from './api.ts'
import { readEvents } from './events.ts'
import type { About, Happening, NewRequests, Pulse, Replay, Row } from './types.ts'

/** All that the panels share; what only one panel shows it loads itself. */
export interface State {
  /** `locked`: the control plane wants its token. */
  connection: 'connecting' | 'live' | 'lost' | 'locked'
  pulse: Pulse | null
  about: About | null
  /** The last caption, of the story or of an action. */
  caption: string | null
  /** The last actions, newest first. */
  happenings: readonly Happening[]
  /** How many requests there were, and the newest of them. */
  requests: { total: number; rows: readonly Row[] }
  /** What went wrong with what the user last asked for. */
  problem: string | null
}

/** The state of the page, and what changes it. */
export interface Store {
  readonly api: Api
  get: () => State
  /** Calls back on each change until the function that it returns is called. */
  subscribe: (listener: () => void) => () => void
  /** Follows the sandbox until the page is closed. */
  follow: () => Promise<void>
  /** Does what the user asked for; when it fails, says why. */
  attempt: (task: () => Promise<unknown>) => Promise<void>
  /** Reads again what the stream does not tell: names, keys, counts. */
  refresh: () => Promise<void>
  /** Shows how far the story is before the stream tells. */
  showReplay: (replay: Replay) => void
  dismiss: () => void
}

const mostKept = 200
const shownAtFirst = 50
const longestRetryMs = 5_000

/** Makes the store of a page. */
export function createStore(api: Api): Store {
  let state: State = {
    connection: 'connecting',
    pulse: null,
    about: null,
    caption: null,
    happenings: [],
    requests: { total: 0, rows: [] },
    problem: null,
  }
  const listeners = new Set<() => void>()
  const set = (change: Partial<State>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const refresh = async () => set({ about: await api.get<About>('state') })
  const readPast = async () => {
    const [happenings, rows] = await Promise.all([
      api.get<Happening[]>('happenings'),
      api.get<Row[]>('requests', { brief: 'true', limit: shownAtFirst }),
      refresh(),
    ])
    // The stream may have told of newer ones meanwhile.
    if ((happenings.at(-1)?.id ?? 0) > (state.happenings[0]?.id ?? 0)) set({ happenings: happenings.toReversed().slice(0, mostKept) })
    set({ requests: { total: Math.max(rows[0]?.id ?? 0, state.requests.total), rows: merge(state.requests.rows, rows) } })
    const said = happenings.findLast(({ type }) => type === 'note')
    if (state.caption === null && said !== undefined) set({ caption: said.text })
  }
  const tell = (event: string, data: unknown) => {
    if (event === 'clock') onPulse(data as Pulse)
    if (event === 'actions') onActions(data as Happening[])
    if (event === 'requests') onRequests(data as NewRequests)
  }
  const onPulse = (pulse: Pulse) => {
    const before = state.pulse
    set({ pulse, ...(pulse.replay.caption === before?.replay.caption ? {} : { caption: pulse.replay.caption }) })
    if (before !== null && signatureOf(before) !== signatureOf(pulse)) void refresh().catch(() => {})
  }
  const onActions = (list: readonly Happening[]) => {
    const isAfter = (list[0]?.id ?? 0) > (state.happenings[0]?.id ?? 0)
    const said = list.findLast(({ type }) => type === 'note')
    set({
      happenings: [...list.toReversed(), ...(isAfter ? state.happenings : [])].slice(0, mostKept),
      ...(said === undefined ? {} : { caption: said.text }),
    })
  }
  const onRequests = ({ total, list }: NewRequests) => {
    // A journal that was emptied begins anew.
    set({ requests: { total, rows: merge(total < state.requests.total ? [] : state.requests.rows, list) } })
  }
  return {
    api,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async follow() {
      const gone = new AbortController()
      addEventListener('pagehide', () => gone.abort(), { once: true })
      for (let retryMs = 500; !gone.signal.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
        try {
          const stream = await api.open('events', gone.signal)
          set({ connection: 'live', caption: null, happenings: [], requests: { total: 0, rows: [] } })
          retryMs = 250
          void readPast().catch(() => {})
          await readEvents(stream, tell)
        } catch (error) {
          if (error instanceof ControlError && error.status === 401) return set({ connection: 'locked' })
        }
        if (gone.signal.aborted) return
        set({ connection: 'lost' })
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    },
    async attempt(task) {
      try {
        set({ problem: null })
        await task()
      } catch (error) {
        set({ problem: messageOf(error) })
      }
    },
    refresh,
    showReplay: (replay) => state.pulse !== null && onPulse({ ...state.pulse, replay }),
    dismiss: () => set({ problem: null }),
  }
}

/** What to tell the user of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The newest of both lists, newest first, each once. */
function merge(older: readonly Row[], newer: readonly Row[]): readonly Row[] {
  const byId = new Map([...older, ...newer].map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id).slice(0, mostKept)
}

/** Changes when the names and keys may have: another scenario, or other accounts. */
function signatureOf({ scenario, accounts, organisations }: Pulse): string {
  return JSON.stringify([scenario, accounts.map(({ id }) => id), organisations.map(({ id }) => id)])
}
