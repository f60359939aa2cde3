import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from './store.ts'
import type { State, Store } from './store.ts'

/** Provides the store of the page to every panel. */
export const StoreContext = createContext<Store | null>(null)

/** The store of the page. */
export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('Failed to find the store: render inside StoreContext.')
  return store
}

/** Reads a part of the state. The panel renders again only when that part changes. */
export function useShared<Part>(pick: (state: State) => Part): Part {
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

/** The data of the last successful load, and the error of a later one. */
interface Loaded<Data> {
  data: Data | undefined
  error: string | undefined
}

/** Pause before the first load of data that follow the state of the page, ms. */
const settleMs = 100

/**
 * Loads data on mount and when `key` changes, throttled to one load per `pauseMs`. `reload` loads
 * at once.
 */
export function useLoad<Data>(
  load: () => Promise<Data>,
  key: string,
  pauseMs = 0,
): Loaded<Data> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ data: undefined, error: undefined })
  const latest = useRef(load)
  latest.current = load
  const { current: loads } = useRef({ startedAt: -Infinity, started: 0, shown: 0 })
  const reload = () => {
    loads.startedAt = performance.now()
    const number = (loads.started += 1)
    const show = (next: (before: Loaded<Data>) => Loaded<Data>) => {
      // A slow answer must not replace a newer one.
      if (number <= loads.shown) return
      loads.shown = number
      setLoaded(next)
    }
    void latest.current().then(
      (data) => show(() => ({ data, error: undefined })),
      (error: unknown) => show(({ data }) => ({ data, error: messageOf(error) })),
    )
  }
  useEffect(() => {
    const soonest = loads.started === 0 ? Math.min(pauseMs, settleMs) : 0
    const delay = Math.max(soonest, loads.startedAt + pauseMs - performance.now())
    const timer = setTimeout(reload, delay)
    return () => clearTimeout(timer)
  }, [key])
  return { ...loaded, reload }
}

/** Idle time before the controls of the stage hide, ms. */
const idleMs = 3_000

/** True if the pointer and the focus have not moved for some time. */
export function useIdle(): boolean {
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
      // A browser that is low on battery refuses. The screen then goes off as usual.
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

/** Follows the height of the window, px. */
export function useWindowHeight(): number {
  const [height, setHeight] = useState(innerHeight)
  useEffect(() => {
    const update = () => setHeight(innerHeight)
    addEventListener('resize', update)
    return () => removeEventListener('resize', update)
  }, [])
  return height
}

/** The state of the last command of the user, and the function that runs the next one. */
export interface Command {
  error: string | undefined
  isBusy: boolean
  run: (task: () => Promise<unknown>) => void
}

/** Runs commands of the user, and keeps the error of the last one. */
export function useCommand(): Command {
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const run = (task: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    void task()
      .catch((reason: unknown) => setError(messageOf(reason)))
      .finally(() => setBusy(false))
  }
  return { error, isBusy, run }
}

/** The width below which the page has the layout of a phone. The styles use the same one. */
const narrow = '(max-width: 40rem)'

/** True on a page as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const query = matchMedia(narrow)
    const update = () => setNarrow(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isNarrow
}
