import type { TestProject } from 'vitest/node'
import { browserPath, hasBrowser } from './browser.ts'
import { hasHaproxy } from './has-haproxy.ts'
import { hasRedis } from './redis.ts'
import { hasPytest, python } from './python.ts'
import { canMountDisk } from './small-disk.ts'

/** Prints the skipped tests at the end of the output, with how to enable them. */
export default function setup({ config }: TestProject): () => void {
  return () => {
    if (config.env?.['LONG_TESTS'] === '1' && !hasPytest())
      process.on('exit', () =>
        process.stderr.write(
          '\nSKIPPED: the example of Python, for there is no python3 with pytest and requests. Install them.\n\n',
        ),
      )
    if (config.env?.['LONG_TESTS'] === '1' && !canMountDisk())
      process.on('exit', () =>
        process.stderr.write(
          '\nSKIPPED: the tests of a full disk, because this user may not mount a disk. Run them as root.\n\n',
        ),
      )
    if (!python)
      process.on('exit', () =>
        process.stderr.write(
          '\nSKIPPED: the clients in Python (test/clients/python), for there is no python3. Install it.\n\n',
        ),
      )
    if (!hasHaproxy())
      process.on('exit', () =>
        process.stderr.write(
          '\nSKIPPED: the tests of several replicas, for there is no haproxy. Install it (apt-get install haproxy).\n\n',
        ),
      )
    if (!hasRedis())
      process.on('exit', () =>
        process.stderr.write(
          '\nSKIPPED: the tests of a state in Redis, for there is no redis-server, or no package redis. Install them (apt-get install redis-server, npm ci).\n\n',
        ),
      )
    if (!hasBrowser())
      process.on('exit', () =>
        process.stderr.write(
          `\nSKIPPED: the browser tests, for there is no Chromium at ${browserPath}. Install it (apt-get install chromium-headless-shell), or set CHROMIUM_PATH.\n\n`,
        ),
      )
  }
}
