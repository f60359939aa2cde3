import { basename } from 'node:path'
import { explainWriteError } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { toScenarioYaml } from '../scenario/scenario-yaml.ts'
import type { RecordFlags } from './flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { requireOutput, writeOutput } from './replace-file.ts'
import { toSchemaComment } from './schema-line.ts'
import { serve } from './serve.ts'
import { formatStartupText } from './startup-text.ts'

type Finish = ReturnType<ServedSandbox['record']>

/**
 * Serves a sandbox and writes the session as a scenario when the server closes.
 *
 * @throws {SandboxError} without --out, or if the file cannot be written
 */
export async function recordSession({ out, ...flags }: RecordFlags, host: Host): Promise<void> {
  if (out === undefined)
    throw new SandboxError('Failed to record: --out is missing. Add --out FILE. See record --help.')
  await attempt(out, () => requireOutput(out))
  const session: { finish?: Finish } = {}
  await serve(flags, host, {
    describe: (served, header) =>
      `${formatStartupText(served, header)}\nRecording to ${out}. The file is written when the ` +
      `server stops (Ctrl+C).\n`,
    onReady: (sandbox) => {
      session.finish = new ServedSandbox(sandbox).record()
    },
    onClose: async () => {
      if (session.finish !== undefined) createLogger(host)(await save(out, session.finish))
    },
  })
}

/** Writes the scenario and returns a summary for the user. */
async function save(out: string, finish: Finish): Promise<string> {
  const { scenario, steps, leftOut, gap } = finish(toName(out))
  const schemaLine = toSchemaComment(out, 'scenarios/scenario.schema.json')
  await attempt(
    out,
    () => writeOutput(out, `${schemaLine}\n${toScenarioYaml(scenario)}`),
    ` Lost: the ${steps} recorded steps.`,
  )
  const missing = leftOut === 0 ? '' : ` Left out ${leftOut} requests that changed nothing.`
  const remark = `${missing}${gap === null ? '' : ` A replay will not produce the same world: ${gap}.`}`
  return `Wrote ${steps} steps to ${out}.${remark}`
}

/** Derives the scenario name from the file name: in lower case, with hyphens between words. */
function toName(file: string): string {
  const words = basename(file)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .match(/[a-z\d]+/g)
  return words?.join('-') ?? 'recorded'
}

async function attempt(file: string, write: () => Promise<void>, loss = ''): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw new SandboxError(
      `Failed to write the recording (${file}): ${explainWriteError(error)}.${loss} Use another ` +
        '--out.',
      { cause: error },
    )
  }
}
