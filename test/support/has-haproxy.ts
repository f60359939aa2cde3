import { spawnSync } from 'node:child_process'

/** True if HAProxy is installed. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0
}
