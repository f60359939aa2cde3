import type { Api } from './api.ts'
import { followEvents } from './shared-stream.ts'
import type { Connection } from './shared-stream.ts'
import type {
  About,
  AppliedAction,
  NewRequests,
  Pulse,
  Replay,
  RequestCounts,
  Row,
} from './types.ts'

/** State shared by all panels. Panels load all other data themselves. */
export interface State {
  connection: Connection
  /**
   * True after the state, the requests and the actions have been loaded. Panels wait for it, so
   * that the layout does not shift.
   */
  isLoaded: boolean
  pulse: Pulse | null
  about: About | null
  /** The latest caption, set by the story or an action. */
  caption: string | null
  /** The latest actions, newest first. */
  happenings: readonly AppliedAction[]
  /** The number of times the world went back to an earlier state, for example by a reset. */
  rewinds: number
  /** Number of requests, the newest requests, and how often the journal was cleared. */
  requests: RequestCounts & { rows: readonly Row[]; timesEmptied: number }
  /** Error of the user's last command. */
  error: string | null
  toasts: readonly Toast[]
}

/** A message that a task succeeded, with an optional undo. */
export interface Toast {
  id: number
  text: string
  undo?: Undo | undefined
  /** When the message was shown, in ms since the page was opened. */
  shownAt: number
}

/** An undo for a task, offered until the world is replaced, for example by a reset. */
export interface Undo {
  /** Undoes the task and returns a sentence that describes the result. */
  run: () => Promise<string>
  /**
   * Returns false if undoing is no longer possible. Checked after requests and after changes to
   * faults.
   */
  applies?: (() => Promise<boolean>) | undefined
}

/** State of the page, and functions that change it. */
export interface Store {
  readonly api: Api
  get: () => State
  /** Calls the listener on each change. The returned function unsubscribes it. */
  subscribe: (listener: () => void) => () => void
  /** Follows the sandbox until the page closes. */
  follow: () => Promise<void>
  /** Runs a user's command and shows its error if it fails. */
  attempt: (task: () => Promise<unknown>) => Promise<void>
  /** Reloads names, keys and counts, which the event stream does not send. */
  refresh: () => Promise<void>
  /** Updates the story state immediately, before the event stream does. */
  showReplay: (replay: Replay) => void
  dismissError: () => void
  /**
   * Shows a message briefly, or longer if the task can be undone. It replaces the previous message.
   * If the new message offers an undo, the previous undo is no longer available.
   */
  showToast: (text: string, undo?: Undo) => void
  dismissToast: (id: number) => void
  /** Undoes the last task that can be undone and shows the result. */
  undo: () => Promise<void>
}

const maxKept = 200
const noRequests: State['requests'] = { total: 0, kept: 0, rows: [], timesEmptied: 0 }
const toastMs = 4_000
const undoMs = 10_000
/** Maximum delay between a task's response and its events, ms. */
const lateMs = 1_000
const initialRows = 50

export function createStore(api: Api): Store {
  let state: State = {
    connection: 'connecting',
    isLoaded: false,
    pulse: null,
    about: null,
    caption: null,
    happenings: [],
    rewinds: 0,
    requests: noRequests,
    error: null,
    toasts: [],
  }
  let lastToast = 0
  const listeners = new Set<() => void>()
  const set = (change: Partial<State>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const refresh = async () => set({ about: await api.get<About>('state') })
  const readPast = async () => {
    const [happenings, rows] = await Promise.all([
      api.get<AppliedAction[]>('happenings'),
      api.get<Row[]>('requests', { brief: 'true', limit: initialRows }),
      refresh(),
      // Loads the state at once, because otherwise a tab that shares a stream would wait for the
      // next change.
      api.get<Pulse>('pulse').then((pulse) => state.pulse === null && set({ pulse })),
    ])
    // The stream may have delivered newer actions in the meantime.
    if ((happenings.at(-1)?.id ?? 0) > (state.happenings[0]?.id ?? 0))
      set({ happenings: happenings.toReversed().slice(0, maxKept) })
    set({
      requests: {
        total: Math.max(rows[0]?.id ?? 0, state.requests.total),
        kept: Math.max(state.about?.requests.kept ?? 0, state.requests.kept),
        rows: merge(state.requests.rows, rows),
        timesEmptied: state.requests.timesEmptied,
      },
    })
    const said = happenings.findLast(({ type }) => type === 'note')
    if (state.caption === null && said !== undefined) set({ caption: said.text })
  }
  const onEvent = (event: string, data: unknown) => {
    if (event === 'clock') onPulse(data as Pulse)
    if (event === 'actions') onActions(data as AppliedAction[])
    if (event === 'requests') onRequests(data as NewRequests)
  }
  const onPulse = (pulse: Pulse) => {
    const before = state.pulse
    set({
      pulse,
      ...(pulse.replay.caption === before?.replay.caption ? {} : { caption: pulse.replay.caption }),
    })
    if (before !== null && before.faults !== pulse.faults) void checkUndo()
    if (before !== null && toSignature(before) !== toSignature(pulse))
      void refresh().catch(() => {})
  }
  const onActions = (list: readonly AppliedAction[]) => {
    // An empty list means that the world returned to an earlier state, for example through a reset.
    if (list.length === 0) {
      dropUndo()
      set({ rewinds: state.rewinds + 1 })
    }
    if (list.some(({ type }) => type.startsWith('key.'))) void refresh().catch(() => {})
    const isAfter = (list[0]?.id ?? 0) > (state.happenings[0]?.id ?? 0)
    const said = list.findLast(({ type }) => type === 'note')
    set({
      happenings: [...list.toReversed(), ...(isAfter ? state.happenings : [])].slice(0, maxKept),
      ...(said === undefined ? {} : { caption: said.text }),
    })
  }
  const onRequests = ({ total, kept, list, isEmptied }: NewRequests) => {
    // The number of faults stays the same if a fault is added and used up between two `pulse`
    // events, so the undo is checked each time.
    void checkUndo()
    const { rows, timesEmptied } = state.requests
    set({
      requests: {
        total,
        kept,
        rows: merge(isEmptied ? [] : rows, list),
        timesEmptied: timesEmptied + Number(isEmptied),
      },
    })
  }
  const onConnection = (connection: Connection) => {
    if (connection === state.connection) return
    if (connection !== 'live') return set({ connection })
    set({ connection, caption: null, happenings: [], requests: noRequests, error: null })
    void readPast()
      .catch(() => {})
      .finally(() => set({ isLoaded: true }))
  }
  const dismissToast = (id: number) =>
    set({ toasts: state.toasts.filter((each) => each.id !== id) })
  const undoable = () => state.toasts.find(({ undo }) => undo !== undefined)
  const dropUndo = () => {
    const toast = undoable()
    if (toast !== undefined && performance.now() - toast.shownAt > lateMs) dismissToast(toast.id)
  }
  const checkUndo = async () => {
    const toast = undoable()
    // If the sandbox does not respond, the check is repeated after the next change.
    const applies = await toast?.undo?.applies?.().catch(() => true)
    if (toast !== undefined && applies === false) dismissToast(toast.id)
  }
  const attempt = async (task: () => Promise<unknown>) => {
    try {
      set({ error: null })
      await task()
    } catch (error) {
      set({ error: toErrorMessage(error) })
    }
  }
  const say = (text: string, undo?: Undo) => {
    const id = (lastToast += 1)
    const others = state.toasts.filter((each) => (each.undo === undefined) !== (undo === undefined))
    set({ toasts: [...others, { id, text, undo, shownAt: performance.now() }] })
    setTimeout(() => dismissToast(id), undo === undefined ? toastMs : undoMs)
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
      // A page restored from the back/forward cache is no longer connected to the sandbox.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
      await followEvents(api, { onEvent, onConnection }, gone.signal)
    },
    attempt,
    showToast: say,
    dismissToast,
    async undo() {
      const toast = undoable()
      if (toast?.undo === undefined) return
      const { run } = toast.undo
      dismissToast(toast.id)
      await attempt(async () => say(await run()))
    },
    refresh,
    showReplay: (replay) => state.pulse !== null && onPulse({ ...state.pulse, replay }),
    dismissError: () => set({ error: null }),
  }
}

/** Converts an error to a message for the user. */
export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Merges two lists of requests, newest first, without duplicates. */
function merge(older: readonly Row[], newer: readonly Row[]): readonly Row[] {
  const byId = new Map([...older, ...newer].map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id).slice(0, maxKept)
}

/**
 * Returns a string that changes whenever the scenario, the accounts or the organisations change.
 */
function toSignature({ scenario, accounts, organisations }: Pulse): string {
  return JSON.stringify([scenario, accounts.map(({ id }) => id), organisations.map(({ id }) => id)])
}
