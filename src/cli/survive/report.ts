import { formatCount } from '../../audit/rule.ts'
import type { RunRequest } from '../../variation/run-record.ts'
import {
  describeFailure,
  formatSurvivedRuns,
  formatSurvivalTable,
} from '../../variation/survival.ts'
import type { SurvivalFailure, SurvivalResult } from '../../variation/survival.ts'
import { trials } from '../../variation/trials.ts'
import type { survivalFormats } from './flags.ts'
import type { SurvivePlan } from '../../variation/run-trials.ts'
import { createLogger } from '../host.ts'
import type { Host } from '../host.ts'

/** Maximum number of output lines per run in a report. */
const maxLines = 20
/** Maximum number of requests per run, and of ids per finding, in a report. */
const maxRequests = 10
/** Maximum length of a path in a report, characters. */
const maxPathLength = 160

/** The results to report. */
interface Report {
  results: readonly SurvivalResult[]
  /** Says that outputs were not compared. */
  note: string | undefined
  /** Sentence that states the percentage of survived variations. */
  summary: string
  /** Returns the command that repeats a failed run. */
  replayOf: (result: SurvivalResult, failure: SurvivalFailure) => string
}

/** Formats the results. */
export function formatReport(report: Report, format: (typeof survivalFormats)[number]): string {
  return writers[format](report)
}

const writers: Readonly<Record<(typeof survivalFormats)[number], (report: Report) => string>> = {
  json: ({ results, note }) => `${JSON.stringify({ results, note }, null, 2)}\n`,
  text: toText,
  markdown: toMarkdown,
}

function toText({ results, summary, replayOf }: Report): string {
  const details = results.flatMap((result) => {
    const [failure] = result.failures
    if (failure === undefined) return []
    const lines = describeRun(result, failure, { replay: replayOf(result, failure) })
    return ['', formatTitle(result, failure), ...lines.map((line) => `  ${line}`.trimEnd())]
  })
  return [formatSurvivalTable(results), '', summary, ...details, ''].join('\n')
}

function toMarkdown({ results, summary, replayOf }: Report): string {
  const rows = results.map((result) => {
    const [first] = result.failures
    return [
      `\`${result.name}\``,
      formatSurvivedRuns(result),
      result.reported === 0 ? '' : String(result.reported),
      first === undefined ? '' : `seed ${first.seed}: ${describeFailure(first)}`,
    ]
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;'))
      .join(' | ')
  })
  const head = ['Name | Survived | Reported | First broken by', '--- | --- | --- | ---']
  const details = results.flatMap((result) => {
    const [failure] = result.failures
    if (failure === undefined) return []
    const lines = describeRun(result, failure, { replay: replayOf(result, failure) })
    return ['', `### ${formatTitle(result, failure)}`, '', '````text', ...lines, '````']
  })
  return [...[...head, ...rows].map((row) => `| ${row} |`), '', summary, ...details, ''].join('\n')
}

/** Formats all details of a failed run for its file. */
export function formatFailedRun(
  result: SurvivalResult,
  failure: SurvivalFailure,
  replay: string,
): string {
  const lines = describeRun(result, failure, { replay, isWhole: true })
  return [formatTitle(result, failure), '', ...lines, ''].join('\n')
}

function formatTitle({ name }: SurvivalResult, failure: SurvivalFailure): string {
  const error = failure.findings.length > 0 ? '' : `: ${describeFailure(failure)}`
  return `${name}, seed ${failure.seed}${error}`
}

function describeRun(
  { name, source }: SurvivalResult,
  { findings, requests, output, difference }: SurvivalFailure,
  { replay, isWhole = false }: { replay: string; isWhole?: boolean },
): string[] {
  const lines = output.trimEnd() === '' ? [] : output.trimEnd().split('\n')
  const shown = isWhole ? lines : lines.slice(-maxLines)
  const sent = isWhole ? requests : selectRequests(requests)
  return [
    `${trials.find((trial) => trial.name === name)?.does ?? ''} (${source})`,
    ...findings.flatMap(({ severity, rule, message, requests: ids, advice }) => [
      `${severity} ${rule}: ${message} (#${ids.slice(0, maxRequests).join(', #')})`,
      `  ${advice}`,
    ]),
    ...(difference?.split('\n').map((line) => line.replaceAll(controlCharacters, '\uFFFD')) ?? []),
    ...(lines.length === 0 ? [] : [`Output${formatShownCount(shown, lines, 'line')}:`]),
    ...shown.map((line) => `  ${line.replaceAll(controlCharacters, '\uFFFD')}`),
    `Requests${formatShownCount(sent, requests, 'request')}:`,
    ...sent.map(describeRequest),
    `Run it again: ${replay}`,
  ]
}

/** Returns the first request that the bad day changed, and the last requests. */
function selectRequests(requests: readonly RunRequest[]): readonly RunRequest[] {
  const last = requests.slice(-maxRequests)
  const failed = requests.find(({ fault }) => fault !== null)
  return failed === undefined || last.includes(failed) ? last : [failed, ...last.slice(1)]
}

const controlCharacters = /[^\P{Cc}\t]/gu

function formatShownCount(
  shown: readonly unknown[],
  all: readonly unknown[],
  noun: string,
): string {
  if (shown.length === all.length) return ''
  const isEnd = all.at(-shown.length) === shown[0]
  return ` (${isEnd ? 'the last ' : ''}${shown.length} of ${formatCount(all.length, noun)})`
}

function describeRequest({ id, method, path, status, fault }: RunRequest): string {
  const cut = path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`
  const answer = status === 0 ? 'no response' : String(status)
  return `  #${id} ${method} ${cut} ${answer}${fault === null ? '' : ' (by the bad day)'}`
}

/** Interval between lines if stderr is not a terminal, ms. */
const pauseMs = 5000

type State = Parameters<NonNullable<SurvivePlan['onRun']>>[0]

/** Shows on stderr how many runs have finished. On a terminal, it updates a single line. */
export class SurviveProgress {
  readonly #host: Host
  readonly #broken = new Set<string>()
  #state: State = { done: 0, total: 0 }
  #shownAt = performance.now()

  constructor(host: Host) {
    this.#host = host
  }

  show(state: State): void {
    this.#state = state
    if (state.broken !== undefined) this.#broken.add(state.broken.name)
    const { stderr } = this.#host
    const isFirst = state.done === 0
    if (isFirst)
      createLogger(this.#host)(`The command passed. Next: ${formatCount(state.total, 'run')}.`)
    if (isFirst) return
    if (stderr.isTTY === true) {
      stderr.write(`\r\u001B[K${this.#line.slice(0, (stderr.columns || 80) - 1)}`)
      return
    }
    if (performance.now() - this.#shownAt < pauseMs) return
    this.#shownAt = performance.now()
    createLogger(this.#host)(this.#line)
  }

  end(isStopped: boolean): void {
    if (this.#host.stderr.isTTY === true) this.#host.stderr.write('\r\u001B[K')
    if (isStopped)
      createLogger(this.#host)(`Stopped after ${this.#state.done} of ${this.#state.total} runs.`)
  }

  get #line(): string {
    const broken = this.#broken.size === 0 ? '' : `, broken: ${[...this.#broken].join(', ')}`
    return `${this.#state.done} of ${this.#state.total} runs${broken}`
  }
}
