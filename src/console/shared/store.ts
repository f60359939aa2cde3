import type { Api } from './api.ts'
import { followEvents } from './shared-stream.ts'
import type { Connection } from './shared-stream.ts'
import type { About, AppliedAction, NewRequests, Pulse, Replay, Row } from './types.ts'

/** The state that panels share. Other data is loaded by the panels themselves. */
export interface State {
  connection: Connection
  /**
   * True if the state, the requests and the actions have been loaded. Panels wait for this, so that
   * they do not move.
   */
  isLoaded: boolean
  pulse: Pulse | null
  about: About | null
  /** The last caption, set by the story or by an action. */
  caption: string | null
  /** The latest actions, newest first. */
  happenings: readonly AppliedAction[]
  /** The number of times the world went back to an earlier state, for example by a reset. */
  rewinds: number
  /**
   * The number of requests, the newest requests, and the number of times the journal was cleared.
   */
  requests: { total: number; rows: readonly Row[]; timesEmptied: number }
  /** The error of the user's last command. */
  error: string | null
  toasts: readonly Toast[]
}

/** A message that a task has succeeded, and a way to undo it. */
export interface Toast {
  id: number
  text: string
  undo?: Undo | undefined
  /** Time from opening the page until the message was shown, ms. */
  shownAt: number
}

/** A way to undo a task. It is offered until the world is replaced, for example by a reset. */
export interface Undo {
  /** Undoes the task. Returns a sentence that describes the result. */
  run: () => Promise<string>
  /**
   * Returns false if the undo is no longer possible. Called after requests and changes of faults.
   */
  applies?: (() => Promise<boolean>) | undefined
}

/** The state of the page, and the functions that change it. */
export interface Store {
  readonly api: Api
  get: () => State
  /** Calls the listener on each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
  /** Follows the sandbox until the page is closed. */
  follow: () => Promise<void>
  /** Runs a command of the user. If it fails, shows the error. */
  attempt: (task: () => Promise<unknown>) => Promise<void>
  /** Reloads names, keys and counts, which the event stream does not send. */
  refresh: () => Promise<void>
  /** Updates the state of the story immediately, before the event stream does. */
  showReplay: (replay: Replay) => void
  dismissError: () => void
  /**
   * Shows a message for a short time, or for longer if the task can be undone. It replaces the last
   * message. A message that can be undone replaces the last one that can be undone.
   */
  say: (text: string, undo?: Undo) => void
  dismissToast: (id: number) => void
  /** Undoes the last task that can be undone, and shows the result. */
  undo: () => Promise<void>
}

const maxKept = 200
const toastMs = 4_000
const undoMs = 10_000
/** Events of a task may arrive this long after the response, ms. */
const lateMs = 1_000
const initialRows = 50

/** Creates the page's store. */
export function createStore(api: Api): Store {
  let state: State = {
    connection: 'connecting',
    isLoaded: false,
    pulse: null,
    about: null,
    caption: null,
    happenings: [],
    rewinds: 0,
    requests: { total: 0, rows: [], timesEmptied: 0 },
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
      // Otherwise, a tab that shares a stream would wait for the next change.
      api.get<Pulse>('pulse').then((pulse) => state.pulse === null && set({ pulse })),
    ])
    // The stream may have sent newer actions in the meantime.
    if ((happenings.at(-1)?.id ?? 0) > (state.happenings[0]?.id ?? 0))
      set({ happenings: happenings.toReversed().slice(0, maxKept) })
    set({
      requests: {
        total: Math.max(rows[0]?.id ?? 0, state.requests.total),
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
    // An empty list means that the world returned to an earlier state, for example after a reset.
    if (list.length === 0) {
      dropUndo()
      set({ rewinds: state.rewinds + 1 })
    }
    const isAfter = (list[0]?.id ?? 0) > (state.happenings[0]?.id ?? 0)
    const said = list.findLast(({ type }) => type === 'note')
    set({
      happenings: [...list.toReversed(), ...(isAfter ? state.happenings : [])].slice(0, maxKept),
      ...(said === undefined ? {} : { caption: said.text }),
    })
  }
  const onRequests = ({ total, list, isEmptied }: NewRequests) => {
    // If a fault is added and used up between two `pulse` events, the number of faults does not
    // change.
    void checkUndo()
    const { rows, timesEmptied } = state.requests
    set({
      requests: {
        total,
        rows: merge(isEmptied ? [] : rows, list),
        timesEmptied: timesEmptied + Number(isEmptied),
      },
    })
  }
  const onConnection = (connection: Connection) => {
    if (connection === state.connection) return
    if (connection !== 'live') return set({ connection })
    set({
      connection,
      caption: null,
      happenings: [],
      requests: { total: 0, rows: [], timesEmptied: 0 },
      error: null,
    })
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
    // If the sandbox does not respond, this is checked again after the next change.
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
      // A page that is restored from the back/forward cache no longer follows the sandbox.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
      await followEvents(api, { onEvent, onConnection }, gone.signal)
    },
    attempt,
    say,
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

/** Returns the message of an error for the user. */
export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Merges two lists of requests, newest first, without duplicates. */
function merge(older: readonly Row[], newer: readonly Row[]): readonly Row[] {
  const byId = new Map([...older, ...newer].map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id).slice(0, maxKept)
}

/** Returns a string that changes when the scenario, the accounts or the organisations change. */
function toSignature({ scenario, accounts, organisations }: Pulse): string {
  return JSON.stringify([scenario, accounts.map(({ id }) => id), organisations.map(({ id }) => id)])
}
