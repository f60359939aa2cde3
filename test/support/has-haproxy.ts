import { spawnSync } from 'node:child_process'

/** True if HAProxy is installed on the system. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0
}
