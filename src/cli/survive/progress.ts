import { formatCount } from '../../audit/format-count.ts'
import type { SurvivePlan } from '../../variation/run-trials.ts'
import { createLogger } from '../host.ts'
import type { Host } from '../host.ts'

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
