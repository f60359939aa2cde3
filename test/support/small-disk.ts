import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTemporaryFolder } from './command.ts'

/** Block size of a small disk, bytes. */
const blockSize = 4_096

/** True if this user may mount a disk, which requires root. */
export function canMountDisk(): boolean {
  const disk = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-disk-'))
  try {
    mount(disk, '64k')
    execFileSync('umount', ['-l', disk])
    return true
  } catch {
    return false
  } finally {
    rmSync(disk, { recursive: true, force: true })
  }
}

/** Mounts a disk of the given size in memory, and removes it at the end of the test. */
export function mountDisk(size: string): string {
  const disk = join(createTemporaryFolder(), 'disk')
  mkdirSync(disk)
  mount(disk, size)
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk])
  })
  return disk
}

/** Fills a disk except for the given number of free bytes. Returns a function that frees it. */
export function fillDisk(disk: string, { free = 0 } = {}): () => void {
  const file = join(disk, 'filling')
  const block = Buffer.alloc(blockSize)
  try {
    for (;;) appendFileSync(file, block)
  } catch {
    // The disk is now full.
  }
  truncateSync(file, statSync(file).size - free)
  return () => rmSync(file)
}

function mount(disk: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' })
}
