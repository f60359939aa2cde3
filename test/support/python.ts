import { spawnSync } from 'node:child_process'

/** True if the Python example can run here. Otherwise skips.ts reports it. */
export function hasPytest(): boolean {
  return spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
}

/**
 * The program of python3, or undefined if it is not installed. A version manager may have put a
 * script in its place that starts slowly.
 */
export const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout?.trim()
