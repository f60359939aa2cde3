import type { FaultInput } from '../world/fault-input.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { badDays } from './bad-days.ts'
import type { GoodDay } from './bad-days.ts'
import type { TrialName } from './variation.ts'
import { variations } from './response-variator.ts'

/**
 * Kind of trial. A correct client must work with variations, and must either handle bad days or
 * report them.
 */
export type TrialKind = 'variation' | 'bad-day'

/** One run of a client, with a variation or bad day. */
export interface TrialRun {
  name: TrialName
  seed: number
  variation: VariationChoice | null
  faults: readonly FaultInput[]
  /** True if the clock jumps to the next minute when a fault has ended. */
  endsMinute?: boolean
}

/** A variation or bad day used to test a client. */
export interface Trial {
  name: TrialName
  kind: TrialKind
  /** Sentence that describes the effect of the trial. */
  does: string
  /** Sentence that describes a client that fails in this trial. */
  breaks: string
  /** The part of the API contract that allows this variation or bad day. */
  source: string
  /** True if the output of a correct client stays the same, so that outputs are compared. */
  keepsValues: boolean
  /** True if the failure lasts, so that the client must give up. */
  isPermanent: boolean
  /** True if an error is only a report, even if it is the expected one. */
  isOnlyReported: boolean
  /** Returns the runs for a client, based on the requests that it sent in the plain run. */
  runsOf: (day: GoodDay, options: TrialOptions) => TrialRun[]
}

/** Limits for a trial's runs. */
export interface TrialOptions {
  /** Maximum number of runs. */
  seeds: number
  /** Maximum delay of `slow-answers`, ms of real time. */
  delayMs: number
  /** Delay of `late-answer` and `hanging-read`, ms of real time. */
  lateMs: number
}

/** All trials, in the order of `trialNames`. */
export const trials: readonly Trial[] = [
  ...variations.map((variation) => ({
    ...describe(variation),
    kind: 'variation' as const,
    keepsValues: variation.keepsValues === true,
    isPermanent: false,
    isOnlyReported: false,
    runsOf: (_day: GoodDay, { seeds, delayMs }: TrialOptions) =>
      Array.from({ length: variation.isFixed === true ? 1 : seeds }, (_run, index) => ({
        name: variation.name,
        seed: index + 1,
        variation: { seed: index + 1, only: [variation.name], delayMs },
        faults: [],
      })),
  })),
  ...badDays.map((badDay) => ({
    ...describe(badDay),
    kind: 'bad-day' as const,
    keepsValues: true,
    isPermanent: badDay.isPermanent === true,
    isOnlyReported: badDay.isOnlyReported === true,
    runsOf: (day: GoodDay, { seeds, lateMs }: TrialOptions) =>
      badDay
        .createFaults(day, lateMs)
        .filter((faults) => faults.length > 0)
        .slice(0, seeds)
        .map((faults, index) => ({
          name: badDay.name,
          seed: index + 1,
          variation: null,
          faults,
          endsMinute: badDay.endsMinute === true,
        })),
  })),
]

type TrialDescription<Name> = { name: Name } & Pick<Trial, 'does' | 'breaks' | 'source'>

function describe<Name>({
  name,
  does,
  breaks,
  source,
}: TrialDescription<Name>): TrialDescription<Name> {
  return { name, does, breaks, source }
}
