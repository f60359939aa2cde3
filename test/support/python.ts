import { spawnSync } from 'node:child_process'

/**
 * True if the Python example can run on this machine. If false, skips.ts reports the test of the
 * example as skipped.
 */
export function hasPytest(): boolean {
  return spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
}

/**
 * Path of python3, or undefined if Python is not installed. Resolved, because a version manager may
 * install a wrapper script that starts slowly.
 */
export const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout?.trim()
