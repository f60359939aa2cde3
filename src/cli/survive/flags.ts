import { z } from 'zod'
import { durationForms, parseDuration } from '../../lib/time.ts'
import { trialNames } from '../../variation/variation.ts'
import { parseNumber } from '../parse-flags.ts'
import type { Flag, Parsed } from '../parse-flags.ts'
import { serveFlags } from '../flags.ts'

const { scenario, scenarios, seed, now, overlay, maxMemory } = serveFlags

/** The formats of the results. */
export const survivalFormats = ['text', 'markdown', 'json'] as const

/**
 * Flags of `survive` that affect the runs. The printed command that repeats a run includes them.
 */
export const runFlags = {
  scenario,
  scenarios,
  seed,
  now,
  overlay,
  late: {
    usage: '--late <duration>',
    schema: z.custom<number>((ms) => typeof ms === 'number' && ms >= 1 && ms <= 600_000, {
      error: `must be a duration from 1ms to 10m, such as ${durationForms}`,
    }),
    read: (text: string) => parseDuration(text) ?? text,
    help: 'Response delay on the bad days late-answer and hanging-read.',
    standard: '5s',
  },
  output: {
    usage: '--output <file>',
    schema: z.string().min(1),
    help:
      'The file to which the command writes its result. Its content is compared instead of ' +
      'stdout. The file is deleted before each run. Commands run one after another, unless the ' +
      'path contains {key}.',
  },
  expectError: {
    usage: '--expect-error <regex>',
    schema: z.instanceof(RegExp, { error: 'it must be a regular expression' }),
    read: toRegExp,
    help:
      'A regular expression that matches the output of the command if it reports a service ' +
      'failure correctly. Any other failure on a bad day then counts as broken. If the command ' +
      'succeeds with another result and this output, it counts as reported. Default: every ' +
      'failure on a bad day counts as reported.',
  },
} as const satisfies Record<string, Flag>

/** The flags of `survive`. */
export const surviveFlags = {
  seeds: {
    usage: '--seeds <number>',
    schema: z.int().min(1).max(1000),
    help: 'Maximum number of runs of each variation and bad day.',
    standard: '5',
  },
  only: {
    usage: '--only <names>',
    schema: z
      .array(z.tuple([z.enum(trialNames), z.int().min(1).max(1000).optional()]).transform(toChoice))
      .min(1)
      .max(1000),
    read: (text: string) =>
      text.split(',').map((part) => {
        const [name, ...seeds] = part.split(':')
        return [name, ...seeds.map(parseNumber)]
      }),
    help:
      'The variations and bad days (simulated failures of the service) to run, separated by ' +
      'commas. NAME:SEED selects a single run, as in large-ids,lost-answer:2. Default: all.',
  },
  jobs: {
    usage: '--jobs <number>',
    schema: z.int().min(1).max(64),
    help: 'Number of commands to run in parallel, each with its own key and world.',
    standard: 'the number of cores',
  },
  format: {
    usage: '--format <form>',
    schema: z.enum(survivalFormats),
    help: 'Output format: text, markdown or json.',
    standard: 'text',
  },
  failUnder: {
    usage: '--fail-under <percent>',
    schema: z.number().min(0).max(100),
    read: parseNumber,
    help:
      'Exit with 1 if the command survives less than this percentage of the variations and ' +
      'bad days. Runs that did not affect the client, and failures that the client only ' +
      'reported, do not count.',
    standard: '100',
  },
  out: {
    usage: '--out <folder>',
    schema: z.string().min(1),
    help: "Write each failed run's output and requests to a file in this folder.",
  },
  maxMemory,
  ...runFlags,
} as const satisfies Record<string, Flag>

export type SurviveFlags = Parsed<typeof surviveFlags>

function toChoice([name, seed]: [(typeof trialNames)[number], (number | undefined)?]) {
  return { name, seed }
}

function toRegExp(text: string): RegExp | string {
  try {
    return new RegExp(text)
  } catch {
    return text
  }
}
