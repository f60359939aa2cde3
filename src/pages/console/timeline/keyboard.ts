import { readPlace, navigateTo } from '../shared/place.ts'
import type { Store } from '../../shared/store.ts'
import type { Replay } from '../../shared/types.ts'

/** Distance that an arrow key seeks, ms. */
const strideMs = 10_000

/** Speeds that the stage offers. */
export const stageSpeeds: readonly number[] = [1, 2, 5]

/** Commands of the story player. */
export interface StoryController {
  toggle: () => void
  /** Seeks by an offset from the server's current position, ms. */
  move: (byMs: number) => void
  seek: (toMs: number) => void
  /** Seeks to the next chapter, or back to the start of the current or previous one. */
  chapter: (direction: 1 | -1) => void
  /** Seeks to a chapter by its number, from 1. */
  chapterAt: (number: number) => void
  /** Changes to the next speed of the stage. */
  nextSpeed: () => void
  command: (command: Record<string, unknown>) => void
}

/**
 * Minimum time in a chapter, ms, after which going back seeks to the start of this chapter instead
 * of the previous chapter.
 */
const begunMs = 3_000

/** Creates the player commands for the story in the store. */
export function createStoryController(store: Store): StoryController {
  const replay = (): Replay | undefined => store.get().pulse?.replay
  let last: Promise<void> = Promise.resolve()
  /** Runs commands in sequence, so that two quick key presses add up. */
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
    chapterAt: (number) =>
      inTurn(() => {
        const goal = replay()?.chapters[number - 1]
        return goal && { command: 'seek', to: goal.name }
      }),
    nextSpeed: () =>
      inTurn(() => {
        const index = stageSpeeds.indexOf(replay()?.speed ?? 0)
        return { command: 'speed', speed: stageSpeeds[(index + 1) % stageSpeeds.length] }
      }),
    toggle: () =>
      inTurn(() => {
        const { status, speed, loop, duration_ms: duration } = replay() ?? {}
        if (status === undefined || duration === 0) return undefined
        return status === 'playing' ? { command: 'pause' } : { command: 'play', speed, loop }
      }),
  }
}

/** A keyboard shortcut, with its description in the help. */
interface Key {
  keys: readonly string[]
  label: string
  description: string
  act: (key: string) => void
}

/** Commands for keyboard shortcuts outside the player. */
export interface PageCommands {
  showHelp: () => void
  search: () => void
}

/** Returns the keyboard shortcuts of the page. */
export function listKeys(
  director: StoryController,
  { showHelp, search }: PageCommands,
): readonly Key[] {
  return [
    { keys: [' '], label: 'Space', description: 'Play and pause', act: director.toggle },
    {
      keys: ['ArrowLeft'],
      label: '←',
      description: 'Back 10 seconds',
      act: () => director.move(-strideMs),
    },
    {
      keys: ['ArrowRight'],
      label: '→',
      description: 'Forward 10 seconds',
      act: () => director.move(strideMs),
    },
    {
      keys: ['PageUp'],
      label: 'Page up',
      description: 'The chapter before',
      act: () => director.chapter(-1),
    },
    {
      keys: ['PageDown'],
      label: 'Page down',
      description: 'The next chapter',
      act: () => director.chapter(1),
    },
    {
      keys: [...'1234567890'],
      label: '1 to 9, 0',
      description: 'On the stage: the chapter with this number; 0: the tenth',
      act: (key) => isOnStage() && director.chapterAt(Number(key) || 10),
    },
    {
      keys: ['s', 'S'],
      label: 'S',
      description: 'On the stage: speed 1×, 2× or 5×',
      act: () => isOnStage() && director.nextSpeed(),
    },
    { keys: ['f', 'F'], label: 'F', description: 'Show the stage full-screen', act: toggleStage },
    {
      keys: ['r', 'R'],
      label: 'R',
      description: 'On the stage: show requests and clock changes',
      act: toggleStageRequests,
    },
    { keys: ['/'], label: '/ or Ctrl K', description: 'Search', act: search },
    { keys: ['?'], label: '?', description: 'These keys', act: showHelp },
  ]
}

function isOnStage(): boolean {
  return readPlace(location.hash).view === 'stage'
}

/** Toggles full screen for the stage. */
export function toggleStage(): void {
  if (isOnStage() && document.fullscreenElement !== null) return leaveStage()
  navigateTo({ view: 'stage' })
  // If the browser refuses full screen, the stage fills the window.
  void document.documentElement.requestFullscreen?.().catch(() => {})
}

/** Shows or hides client requests on the stage. */
export function toggleStageRequests(): void {
  const { view, filters = {} } = readPlace(location.hash)
  if (view !== 'stage') return
  const requests = filters['requests'] === undefined ? '1' : ''
  navigateTo({ view, filters: { requests } }, { replace: true })
}

/** Leaves the stage and full screen and shows the overview. */
export function leaveStage(): void {
  // The user may have left full screen in the meantime.
  if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
  navigateTo({ view: 'overview' })
}

/** Handles keyboard shortcuts, except for keys that the focused element itself uses. */
export function listenToKeys(director: StoryController, commands: PageCommands): () => void {
  const keys = listKeys(director, commands)
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
    act(event.key)
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
