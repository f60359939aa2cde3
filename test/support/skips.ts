import type { TestProject } from 'vitest/node'
import { browserPath, hasBrowser } from './browser.ts'
import { hasHaproxy } from './has-haproxy.ts'
import { hasRedis } from './redis.ts'
import { hasPytest, python } from './python.ts'
import { canMountDisk } from './small-disk.ts'

/** Tests that some machines cannot run, and how to enable them. */
const skips: readonly { canRun: () => boolean; text: string; isLong?: boolean }[] = [
  {
    canRun: hasPytest,
    text: 'the example of Python, for there is no python3 with pytest and requests. Install them.',
    isLong: true,
  },
  {
    canRun: canMountDisk,
    text: 'the tests of a full disk, because this user may not mount a disk. Run them as root.',
    isLong: true,
  },
  {
    canRun: () => Boolean(python),
    text: 'the clients in Python (test/clients/python), for there is no python3. Install it.',
  },
  {
    canRun: hasHaproxy,
    text: 'the tests of several replicas, for there is no haproxy. Install it (apt-get install haproxy).',
  },
  {
    canRun: hasRedis,
    text: 'the tests of a state in Redis, for there is no redis-server, or no package redis. Install them (apt-get install redis-server, npm ci).',
  },
  {
    canRun: hasBrowser,
    text: `the browser tests, for there is no Chromium at ${browserPath}. Install it (apt-get install chromium-headless-shell), or set CHROMIUM_PATH.`,
  },
]

/** Prints the skipped tests at the end of the output, with how to enable them. */
export default function setup({ config }: TestProject): () => void {
  const hasLongTests = config.env?.['LONG_TESTS'] === '1'
  return () => {
    for (const { canRun, text, isLong = false } of skips)
      if ((!isLong || hasLongTests) && !canRun())
        process.on('exit', () => process.stderr.write(`\nSKIPPED: ${text}\n\n`))
  }
}
