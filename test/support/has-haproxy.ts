import { spawnSync } from 'node:child_process'

/** Whether there is the load balancer of the system's packages. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0
}
