import { formatAudit } from '../audit/format-audit.ts'
import { SandboxError } from '../errors.ts'
import { createSandbox } from '../sandbox/create-sandbox.ts'
import { defaultMaxMemory } from './flags.ts'
import type { AuditFlags } from './flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { hasSevereFinding } from './print-audit.ts'
import { readScenarioLibrary, readNamedScenario } from './scenario-file.ts'

/**
 * Plays a recording and prints the audit of its requests. Returns true if a finding is at least as
 * severe as `failOn`.
 *
 * @throws {SandboxError} if the recording does not exist or has no requests, or if a step fails
 */
export async function auditRecording(
  source: string,
  { scenarios: folder, format = 'text', failOn, maxMemory = defaultMaxMemory }: AuditFlags,
  host: Host,
): Promise<boolean> {
  const library =
    folder === undefined ? undefined : await readScenarioLibrary(folder, createLogger(host))
  const { scenario } = await readNamedScenario(source, library)
  const requests = scenario.timeline.filter(({ request }) => request !== undefined).length
  if (requests === 0)
    throw new SandboxError(
      `Failed to audit ${source}: its timeline has no requests. Record one with: npx ` +
        `creator-api-sandbox record --out FILE.`,
    )
  const sandbox = createSandbox({ scenario, maxMemory, journalSize: requests })
  await sandbox.ready
  await sandbox.play()
  const audit = await sandbox.audit({ of: 'story' })
  host.stdout.write(formatAudit(audit, format))
  return hasSevereFinding(audit, failOn)
}
