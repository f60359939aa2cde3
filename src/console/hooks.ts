import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from './store.ts'
import type { State, Store } from './store.ts'

/** The store of the page, for every panel. */
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

/** The data of the last load, and the error since then. */
export interface Loaded<Data> {
  data: Data | undefined
  error: string | undefined
}

/** Loads data at first and whenever `key` changes, but no sooner than `pauseMs` after the last load began. */
export function useLoad<Data>(load: () => Promise<Data>, key: string, pauseMs = 0): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ data: undefined, error: undefined })
  const turns = useRef({ startedAt: -Infinity, begun: 0, shown: 0 })
  useEffect(() => {
    const { current } = turns
    const run = async () => {
      current.startedAt = performance.now()
      const turn = (current.begun += 1)
      const show = (next: (before: Loaded<Data>) => Loaded<Data>) => {
        if (turn <= current.shown) return
        current.shown = turn
        setLoaded(next)
      }
      await load().then(
        (data) => show(() => ({ data, error: undefined })),
        (error: unknown) => show(({ data }) => ({ data, error: messageOf(error) })),
      )
    }
    const timer = setTimeout(() => void run(), Math.max(0, current.startedAt + pauseMs - performance.now()))
    return () => clearTimeout(timer)
  }, [key])
  return loaded
}
