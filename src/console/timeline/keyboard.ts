import { leavePlace, placeNow, showPlace } from '../shared/place.ts'
import type { Store } from '../shared/store.ts'
import type { Replay } from '../shared/types.ts'

/** How far an arrow key seeks, ms. */
const strideMs = 10_000

/** What the buttons and keys of the player do. */
export interface Director {
  toggle: () => void
  /** Seeks from where the story is when the server hears of it, ms. */
  move: (byMs: number) => void
  seek: (toMs: number) => void
  /** Goes to the next chapter, or to the start of this one and then to the one before. */
  chapter: (direction: 1 | -1) => void
  command: (command: Record<string, unknown>) => void
}

/**
 * How long after its start a chapter counts as begun: from then on the way back leads to its start,
 * ms.
 */
const begunMs = 3_000

/** Creates the director of the story that the store follows. */
export function createDirector(store: Store): Director {
  const replay = (): Replay | undefined => store.get().pulse?.replay
  let last: Promise<void> = Promise.resolve()
  /**
   * Decides what to ask for once the answer to the command before is there: two quick keys count
   * from one another.
   */
  const inTurn = (decide: () => Record<string, unknown> | undefined) => {
    last = last.then(async () => {
      const body = decide()
      if (body !== undefined)
        await store.attempt(() =>
          store.api.send<Replay>('POST', 'replay', body).then(store.showReplay),
        )
    })
  }
  const command = (body: Record<string, unknown>) => inTurn(() => body)
  return {
    command,
    seek: (toMs) =>
      inTurn(() => ({
        command: 'seek',
        to: `${Math.round(Math.max(0, Math.min(replay()?.duration_ms ?? 0, toMs)))}ms`,
      })),
    move: (byMs) => command({ command: 'seek', to: `${byMs < 0 ? '-' : '+'}${Math.abs(byMs)}ms` }),
    chapter: (direction) =>
      inTurn(() => {
        const { chapters = [], at_ms: at = 0 } = replay() ?? {}
        const goal =
          direction === 1
            ? chapters.find((each) => each.at_ms > at)
            : chapters.findLast((each) => each.at_ms < at - begunMs)
        if (goal !== undefined) return { command: 'seek', to: goal.name }
        return direction === -1 ? { command: 'seek', to: '0s' } : undefined
      }),
    toggle: () =>
      inTurn(() => {
        const { status, speed, loop, duration_ms: duration } = replay() ?? {}
        if (status === undefined || duration === 0) return undefined
        return status === 'playing' ? { command: 'pause' } : { command: 'play', speed, loop }
      }),
  }
}

/** What a key does anywhere on the page, and how the list of keys names it. */
interface Key {
  keys: readonly string[]
  label: string
  does: string
  act: () => void
}

/** What keys do besides the player. */
export interface PageCommands {
  showHelp: () => void
  search: () => void
}

/** The keys of the page. */
export function keysOf(director: Director, { showHelp, search }: PageCommands): readonly Key[] {
  return [
    { keys: [' '], label: 'Space', does: 'Play and pause', act: director.toggle },
    {
      keys: ['ArrowLeft'],
      label: '←',
      does: 'Back 10 seconds',
      act: () => director.move(-strideMs),
    },
    {
      keys: ['ArrowRight'],
      label: '→',
      does: 'Forward 10 seconds',
      act: () => director.move(strideMs),
    },
    {
      keys: ['PageUp'],
      label: 'Page up',
      does: 'The chapter before',
      act: () => director.chapter(-1),
    },
    {
      keys: ['PageDown'],
      label: 'Page down',
      does: 'The next chapter',
      act: () => director.chapter(1),
    },
    { keys: ['f', 'F'], label: 'F', does: 'The stage, and full screen', act: toggleStage },
    { keys: ['/'], label: '/ or Ctrl K', does: 'Search', act: search },
    { keys: ['?'], label: '?', does: 'These keys', act: showHelp },
  ]
}

/** Shows the stage on the full screen, or leaves it. */
export function toggleStage(): void {
  if (placeNow().view === 'stage' && document.fullscreenElement !== null) return leaveStage()
  showPlace({ view: 'stage' })
  // A browser that lets no page fill the screen still has the stage, as large as the window.
  void document.documentElement.requestFullscreen?.().catch(() => {})
}

/** Goes back to where the user was before. */
export function leaveStage(): void {
  // It may have been left in the meantime.
  if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
  leavePlace()
}

/**
 * Listens to the keys of the page, except where the focused element gives a key a meaning of its
 * own.
 */
export function listenToKeys(director: Director, commands: PageCommands): () => void {
  const keys = keysOf(director, commands)
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      commands.search()
      return
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : document.body
    if (target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null) return
    if (event.key === ' ' && target.closest('button, a, summary, input') !== null) return
    if (event.key !== ' ' && event.key.length > 1 && target.closest('.scrolls') !== null) return
    const act = keys.find((each) => each.keys.includes(event.key))?.act
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
