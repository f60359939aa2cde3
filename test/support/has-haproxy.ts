import { spawnSync } from 'node:child_process'

/** True if the HAProxy of the system is installed. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0
}
