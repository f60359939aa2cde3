import { appendFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { explainWriting } from '../lib/file-failure.ts'
import { SandboxError } from '../errors.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { toScenarioYaml } from '../scenario/write.ts'
import type { RecordFlags } from './flags.ts'
import { createLog } from './host.ts'
import type { Host } from './host.ts'
import { schemaLine } from './schema-line.ts'
import { serve } from './serve.ts'
import { describeServer } from './welcome.ts'

type Finish = ReturnType<ServedSandbox['record']>

/**
 * Serves, and writes a scenario of the session when it closes. @throws {SandboxError} without
 * --out, or if the file cannot be written.
 */
export async function record({ out, ...flags }: RecordFlags, host: Host): Promise<void> {
  if (out === undefined)
    throw new SandboxError(
      'Failed to record: --out is missing. Give --out FILE. See record --help.',
    )
  // Checks now, not at the end of the session, that the file can be written. Its content stays.
  attempt(out, () => appendFileSync(out, ''))
  const session: { finish?: Finish } = {}
  await serve(flags, host, {
    describe: (served, header) =>
      `${describeServer(served, header)}\nRecording to ${out}; it is written when the server ` +
      `closes (Ctrl+C).\n`,
    onReady: (sandbox) => {
      session.finish = new ServedSandbox(sandbox).record()
    },
    onClose: () => {
      if (session.finish !== undefined) createLog(host)(save(out, session.finish))
    },
  })
}

/** Writes the scenario. Returns a summary for the user. */
function save(out: string, finish: Finish): string {
  const { scenario, steps, leftOut, gap } = finish(toName(out))
  attempt(out, () =>
    writeFileSync(
      out,
      `${schemaLine(out, 'scenarios/scenario.schema.json')}\n${toScenarioYaml(scenario)}`,
    ),
  )
  const missing = leftOut === 0 ? '' : ` ${leftOut} requests that wrote nothing are left out.`
  const remark = `${missing}${gap === null ? '' : ` It will not play to the same world: ${gap}.`}`
  return `Wrote ${steps} steps to ${out}.${remark}`
}

/** The name of the scenario: the file name in lower-case words with hyphens. */
function toName(file: string): string {
  const words = basename(file)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .match(/[a-z\d]+/g)
  return words?.join('-') ?? 'recorded'
}

function attempt(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new SandboxError(
      `Failed to write the recording (${file}): ${explainWriting(error)}. Give another --out.`,
      { cause: error },
    )
  }
}
