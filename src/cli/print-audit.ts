import type { Audit } from '../audit/audit.ts'
import { formatAudit } from '../audit/format-audit.ts'
import { severities } from '../audit/rule.ts'
import type { Severity } from '../audit/rule.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Host } from './host.ts'

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
