import type { Audit } from '../audit/audit.ts'
import { formatAudit } from '../audit/format-audit.ts'
import { severities } from '../audit/rule.ts'
import type { Severity } from '../audit/rule.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { SandboxError } from '../errors.ts'
import { createSandbox } from '../sandbox/create-sandbox.ts'
import { defaultMaxMemory } from './flags.ts'
import type { AuditFlags } from './flags.ts'
import { readScenarioLibrary, readNamedScenario } from './scenario-file.ts'

/**
 * Prints the audit results for a sandbox and its worlds. Returns true if a finding is at least as
 * severe as `failOn`.
 */
export async function printAudit(
  { control }: Sandbox,
  failOn: Severity | undefined,
  host: Host,
): Promise<boolean> {
  const worlds = [
    { title: 'Audit', control },
    ...control
      .worlds()
      .map(({ id }) => ({ title: `Audit of the world ${id}`, control: control.world(id) })),
  ]
  let isBad = false
  for (const world of worlds) {
    const audit = await world.control.audit()
    host.stdout.write(`\n${world.title}\n\n${formatAudit(audit, 'text')}`)
    isBad ||= hasSevereFinding(audit, failOn)
  }
  return isBad
}

/** True if the audit has a finding at least as severe as `failOn`. */
export function hasSevereFinding(
  { findings }: Pick<Audit, 'findings'>,
  failOn: Severity | undefined,
): boolean {
  return (
    failOn !== undefined &&
    findings.some(({ severity }) => severities.indexOf(severity) <= severities.indexOf(failOn))
  )
}

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
