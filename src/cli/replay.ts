import type { Control } from '../control/control.ts'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ReplayFlags } from './flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { serve } from './serve.ts'
import { formatStartupText } from './startup-text.ts'

/** Interval between progress updates on a terminal, ms of real time. */
const pauseMs = 250

/**
 * Serves a scenario and plays its story. Shows progress as one updated line on a terminal, and as
 * separate lines otherwise.
 *
 * @throws {SandboxError}
 */
export async function replayScenario(
  scenario: string,
  { speed = 1, from, until, loop = false, paused = false, ...flags }: ReplayFlags,
  host: Host,
): Promise<void> {
  const late = [...(until === undefined ? [] : ['--until']), ...(loop ? ['--loop'] : [])]
  if (paused && late.length > 0)
    throw new SandboxError(
      `Failed to replay with ${late.join(' and ')}: with --paused, it has no effect. Leave ` +
        '--paused out, or send it to POST /_sandbox/replay when you start the story.',
    )
  let stopPrinting = () => {}
  const sandbox = await serve({ ...flags, scenario }, host, {
    describe: (served, header) =>
      `${formatStartupText(served, header)}\n${describePlayer(served, paused)}`,
    cuesStories: paused,
    onReady({ control }) {
      control.replay({ command: 'stop' })
      if (from !== undefined) control.replay({ command: 'seek', to: from })
      control.replay({ command: 'speed', speed })
      if (!paused) control.replay({ command: 'play', speed, until, loop })
    },
    onClose: () => stopPrinting(),
  })
  const printNews =
    flags.quiet === true
      ? createProblemPrinter(sandbox, createLogger(host))
      : createPrinter(sandbox, host)
  printNews()
  const watch = setInterval(printNews, pauseMs).unref()
  stopPrinting = () => {
    clearInterval(watch)
    printNews()
  }
}

/** `4:05`, or `1:04:05`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return (seconds < 3600 ? parts : [Math.floor(seconds / 3600), ...parts]).join(':')
}

function describePlayer({ baseUrl, control }: Sandbox, isPaused: boolean): string {
  return [
    `Story    ${control.state().scenario}, ${formatDuration(control.replay().duration_ms)}`,
    `  1. Open ${baseUrl}/_sandbox/ in a browser${isPaused ? ', and press play' : ''}: the ` +
      'console plays, pauses and seeks the story, and shows each request.',
    `  2. Point your client to ${baseUrl} with one of the keys above. It sees the changes of ` +
      'the story.',
    `  3. Or control the story from here: curl -H 'Content-Type: application/json' --data-raw ` +
      `'{"command": "seek", "to": "+1m"}' ${baseUrl}/_sandbox/replay`,
    '',
    '',
  ].join('\n')
}

/** Returns a function that prints the steps that failed since its last call, one per line. */
function createProblemPrinter({ control }: Sandbox, print: (line: string) => void): () => void {
  let told = 0
  return () => {
    if (isReplaced(control)) return
    const { problems, at_ms } = control.replay()
    // A rewind or reset clears the list of failed steps, so the count starts again.
    if (problems.length < told) told = 0
    for (const problem of problems.slice(told)) print(`${formatDuration(at_ms)}  ! ${problem}`)
    told = problems.length
  }
}

/**
 * Returns a function that prints the progress since its last call. On a terminal, it overwrites one
 * line. Otherwise, it prints a line for each chapter, caption and action.
 */
function createPrinter(sandbox: Sandbox, { stdout }: Host): () => void {
  const { control } = sandbox
  let [last, ended] = [0, false]
  const print = (line: string) => stdout.write(`${stdout.isTTY ? '\r\u001B[K' : ''}${line}\n`)
  const printProblems = createProblemPrinter(sandbox, print)
  return () => {
    if (isReplaced(control)) return
    const state = control.replay()
    // Loading another scenario restarts action ids at 1, so the last printed id is reset too.
    if (control.positions().lastAction < last) last = 0
    for (const { id, story_ms, type, text } of control.happenings({ after: last })) {
      last = id
      if (type === 'chapter') print(`${formatDuration(story_ms)}  # ${text}`)
      else if (type === 'note') print(`${formatDuration(story_ms)}  ${text}`)
      else if (!stdout.isTTY) print(`${formatDuration(story_ms)}  - ${text}`)
    }
    printProblems()
    const isEnded = state.status === 'ended'
    const at = formatDuration(state.at_ms)
    if (isEnded && !ended)
      print(`${at}  The story has ended${countProblems(state.problems)}. The server keeps running.`)
    ended = isEnded
    if (!stdout.isTTY) return
    const next =
      state.next === null
        ? ''
        : `  next ${state.next.types.join(', ') || 'caption'} in ` +
          `${formatDuration(state.next.at_ms - state.at_ms)}`
    const line =
      `${at} / ${formatDuration(state.duration_ms)}  ${state.status} ×${state.speed}  ` +
      `${state.chapter ?? ''}${next}  ${control.positions().lastRequest} requests`
    stdout.write(`\r\u001B[K${line.slice(0, (stdout.columns || 80) - 1)}`)
  }
}

/** True while another scenario or a snapshot is being loaded, when the story cannot be read. */
function isReplaced(control: Control): boolean {
  return control.pulse().busy !== null
}

function countProblems({ length }: readonly string[]): string {
  return length === 0 ? '' : `, and ${length} of its steps failed`
}
