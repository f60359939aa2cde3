import { spawnSync } from 'node:child_process'

/** True if the Python example can run here. skips.ts reports it otherwise. */
export function hasPytest(): boolean {
  return spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
}
