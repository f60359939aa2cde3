import { jsonHeaders } from '../engine/pipeline/envelope.ts'
import type { Answer, Call, Reply } from '../engine/route.ts'
import { isWork } from '../engine/work.ts'
import type { Work } from '../engine/work.ts'
import { CrowdError } from '../errors.ts'
import type { Gate } from './gate.ts'
import type { Stage } from './stage.ts'

/** What the turns need of their sandbox. */
interface TurnHost {
  gate: Gate
  /** @throws {SandboxError} once the sandbox is closed. */
  stage: () => Stage
  /** Undefined once the sandbox is closed. */
  open: () => Stage | undefined
  /** What kept the world from coming back from where it had been put. */
  damage: () => Error | undefined
}

/**
 * Lets requests and long work of a sandbox come one after another, each once all that has fallen
 * due before it has happened.
 */
export class Turns {
  readonly #host: TurnHost

  constructor(host: TurnHost) {
    this.#host = host
  }

  /** True until the data are there. */
  get isSeeding(): boolean {
    return !this.#host.stage().isReady
  }

  /** Whether a request need not wait. */
  get isFree(): boolean {
    const { gate, stage } = this.#host
    if (this.isSeeding || !gate.isFree) return false
    return gate.pace === undefined || !stage().world.isBehind
  }

  /** Answers a call, once those before it are through where `isPrompt` does not let it pass. */
  answer(
    call: Call,
    { isPrompt, isInProcess }: { isPrompt: (call: Call) => boolean; isInProcess: boolean },
  ): Answer {
    const damage = this.#host.damage()
    if (damage !== undefined) return unavailable(damage)
    const stage = this.#host.stage()
    if (this.isFree || isPrompt(call)) return stage.answer(call, { isInProcess })
    return this.#answerInTurn(call, stage, isInProcess)
  }

  /** Runs a job in its turn, after `ready` and after all effects that have fallen due. */
  inTurn<Result>(
    doing: string | null,
    job: () => Result | Work<Result> | Promise<Result>,
  ): Promise<Result> {
    const { gate, stage, damage } = this.#host
    return gate.run(async () => {
      const harm = damage()
      if (harm !== undefined) throw harm
      await stage().ready
      if (stage().world.isBehind) await this.#settle()
      const result = job()
      return isWork(result)
        ? this.do(result as Work<Result>, doing ?? 'working')
        : (result as Result | Promise<Result>)
    })
  }

  /**
   * Does work in its turn that nobody waits for. A sandbox that is closed by then has nothing left
   * to do.
   */
  async untilClosed(doing: string, work: () => Work): Promise<void> {
    const { open } = this.#host
    if (open() === undefined) return
    try {
      await this.inTurn(doing, work)
    } catch (error) {
      if (open() !== undefined) throw error
    }
  }

  /** Does work on the world. Real time passes unseen meanwhile. */
  async do<Result>(work: Work<Result>, doing: string): Promise<Result> {
    const release = this.#host.stage().world.clock.hold()
    try {
      return await this.#host.gate.do(work, doing)
    } finally {
      release()
    }
  }

  /**
   * Answers a call once those before it are through, and once all that has fallen due has happened.
   */
  async #answerInTurn(call: Call, stage: Stage, isInProcess: boolean): Promise<Reply> {
    const { gate, open, damage } = this.#host
    try {
      gate.requireRoom()
    } catch (error) {
      if (!(error instanceof CrowdError)) throw error
      return unavailable(error)
    }
    if (!stage.isReady) await stage.ready
    return gate.turn(
      // The scenario may be another one by now. A request that came before the sandbox was closed
      // still gets its answer.
      () => {
        const harm = damage()
        return harm === undefined
          ? (open() ?? stage).answer(call, { isInProcess })
          : unavailable(harm)
      },
      () => this.#prepare(),
    )
  }

  /** What goes ahead of a request on a server: what has fallen due happens. */
  #prepare(): Promise<void> | undefined {
    const { gate, open } = this.#host
    return gate.pace !== undefined && open()?.world.isBehind === true ? this.#settle() : undefined
  }

  #settle(): Promise<void> {
    return this.do(this.#host.stage().world.settling(), 'playing')
  }
}

function unavailable({ message }: Error): Reply {
  return { status: 503, headers: jsonHeaders, body: JSON.stringify({ error: message }) }
}
