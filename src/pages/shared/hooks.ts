import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { toErrorMessage } from './store.ts'
import type { State, Store } from './store.ts'

/** Provides the page's store to all panels. */
export const StoreContext = createContext<Store | null>(null)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('Failed to find the store: render inside StoreContext.')
  return store
}

/** Returns a part of the state. The component renders again only when that part changes. */
export function useStoreState<Part>(pick: (state: State) => Part): Part {
  const store = useStore()
  const [part, setPart] = useState(() => pick(store.get()))
  const latest = useRef(pick)
  latest.current = pick
  useEffect(() => {
    const update = () => setPart(() => latest.current(store.get()))
    update()
    return store.subscribe(update)
  }, [store])
  return part
}

/** Data of the last successful load, and the error if a later load failed. */
interface Loaded<Data> {
  data: Data | undefined
  error: string | undefined
}

/** Delay before the first load of data that depends on the page's state, ms. */
const settleMs = 100

/**
 * Loads data on mount and when `key` changes, at most once per `pauseMs`, and only after the key
 * has not changed for `debounceMs`. `reload` loads immediately. A new load aborts the signal of the
 * one before.
 */
export function useLoadedData<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  key: string,
  { pauseMs = 0, debounceMs = 0 }: { pauseMs?: number; debounceMs?: number } = {},
): Loaded<Data> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ data: undefined, error: undefined })
  const latest = useRef(load)
  latest.current = load
  const { current: loads } = useRef({
    startedAt: -Infinity,
    started: 0,
    shown: 0,
    last: new AbortController(),
  })
  const reload = () => {
    loads.startedAt = performance.now()
    loads.last.abort()
    const { signal } = (loads.last = new AbortController())
    const number = (loads.started += 1)
    const show = (next: (before: Loaded<Data>) => Loaded<Data>) => {
      // Prevents a late response from replacing a newer one.
      if (number <= loads.shown) return
      loads.shown = number
      setLoaded(next)
    }
    void latest.current(signal).then(
      (data) => show(() => ({ data, error: undefined })),
      (error: unknown) =>
        signal.aborted || show(({ data }) => ({ data, error: toErrorMessage(error) })),
    )
  }
  useReconnection(reload)
  useEffect(() => {
    const soonest = loads.started === 0 ? Math.min(pauseMs, settleMs) : debounceMs
    const delay = Math.max(soonest, loads.startedAt + pauseMs - performance.now())
    const timer = setTimeout(reload, delay)
    return () => clearTimeout(timer)
  }, [key])
  return { ...loaded, reload }
}

/** Calls a function when the connection to the sandbox is restored, for example after a restart. */
function useReconnection(act: () => void): void {
  // The page of documents has no store.
  const store = useContext(StoreContext)
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let wasLost = false
    return store?.subscribe(() => {
      const { connection } = store.get()
      if (connection === 'live' && wasLost) latest.current()
      wasLost = connection === 'lost' || (wasLost && connection !== 'live')
    })
  }, [store])
}

/** Idle time before the story controls hide, ms. */
const idleMs = 3_000

/** Returns true if neither pointer nor focus has moved for some time. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), idleMs)
    }
    const signs = ['pointermove', 'pointerdown', 'focusin'] as const
    for (const sign of signs) addEventListener(sign, wake)
    wake()
    return () => {
      clearTimeout(timer)
      for (const sign of signs) removeEventListener(sign, wake)
    }
  }, [])
  return isIdle
}

/** Keeps the screen on while the component is mounted and the page is visible. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const take = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      // The browser may refuse, for example if the battery is low. The screen then turns off as
      // usual.
      const taken = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) await taken?.release().catch(() => {})
      else lock = taken
    }
    const retake = () => void take()
    document.addEventListener('visibilitychange', retake)
    void take()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', retake)
      void lock?.release().catch(() => {}) // the browser has released it already
    }
  }, [])
}

/** State of the user's last command, and the function that runs the next one. */
export interface Command {
  error: string | undefined
  isBusy: boolean
  run: (task: () => Promise<unknown>) => void
}

/** Runs user commands and stores the error of the last one. */
export function useCommandRunner(): Command {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // An error such as "The sandbox does not respond" is no longer true.
  useReconnection(() => setError(undefined))
  const run = (task: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    void task()
      .catch((reason: unknown) => setError(toErrorMessage(reason)))
      .finally(() => setBusy(false))
  }
  return { error, isBusy, run }
}

/** Media query for the phone layout. The styles use the same width. */
const narrow = '(max-width: 40rem)'

/** Returns true if the page is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useMediaQuery(narrow)
}

/** Tracks a media query. */
export function useMediaQuery(text: string): boolean {
  const [isMatching, setMatching] = useState(() => matchMedia(text).matches)
  useEffect(() => {
    const query = matchMedia(text)
    const update = () => setMatching(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isMatching
}
