import { spawnSync } from 'node:child_process'

/** True if the Python example can run here. Otherwise skips.ts reports it. */
export function hasPytest(): boolean {
  return spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
}
