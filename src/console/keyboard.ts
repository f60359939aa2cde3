import type { Store } from './store.ts'
import type { Replay } from './types.ts'

/** How far an arrow key seeks, ms. */
const strideMs = 10_000

/** What the buttons and keys of the player do. */
export interface Director {
  toggle: () => void
  /** Seeks from the present place, ms. */
  move: (byMs: number) => void
  seek: (toMs: number) => void
  command: (command: Record<string, unknown>) => void
}

/** Creates the director of the story that the store follows. */
export function createDirector(store: Store): Director {
  const replay = (): Replay | undefined => store.get().pulse?.replay
  const command = (body: Record<string, unknown>) =>
    void store.attempt(() => store.api.send<Replay>('POST', 'replay', body).then(store.showReplay))
  const seek = (toMs: number) =>
    command({ command: 'seek', to: `${Math.round(Math.max(0, Math.min(replay()?.duration_ms ?? 0, toMs)))}ms` })
  return {
    command,
    seek,
    move: (byMs) => seek((replay()?.at_ms ?? 0) + byMs),
    toggle() {
      const { status, speed, loop } = replay() ?? {}
      if (status === undefined || replay()?.duration_ms === 0) return
      command(status === 'playing' ? { command: 'pause' } : { command: 'play', speed, loop })
    },
  }
}

/** Listens to the keys of the player, except where the focused element gives a key a meaning of its own. */
export function listenToKeys(director: Director): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : document.body
    const isTyping = target.closest('input:not([type=checkbox]), textarea, select') !== null
    if (isTyping || (event.key === ' ' && target.closest('button, a, summary, input') !== null)) return
    const act = { ' ': director.toggle, ArrowLeft: () => director.move(-strideMs), ArrowRight: () => director.move(strideMs) }[event.key]
    if (act === undefined || (event.key !== ' ' && target.closest('.scrolls') !== null)) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
