import { spawnSync } from 'node:child_process'

/** Whether the example of Python can run here; skips.ts says so when it cannot. */
export function hasPytest(): boolean {
  return spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
}
