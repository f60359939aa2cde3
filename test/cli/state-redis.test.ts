import { expect, it } from 'vitest'
import { runInProcess } from '../support/command.ts'

// state-redis.long.test.ts runs servers with a Redis.
it.each<[string[], string]>([
  [['--state', 'redis://:secret@127.0.0.1'], 'it holds a password'],
  [['--state', 'redis://127.0.0.1/names'], '/names must be a database number'],
  [['--state', 'http://127.0.0.1'], 'it must be a folder, or a URL that starts with redis://'],
  [['--state-prefix', 'a'], '--state-prefix: it needs --state redis://'],
  [['--state-prefix', 'a*', '--state', 'redis://127.0.0.1'], 'must have 1 to 100 letters'],
  [['--state', 'redis://127.0.0.1', '--state-password-env', 'NOT_SET'], 'variable is not set'],
])('refuses %j', async (flags, why) => {
  const { code, stderr } = await runInProcess('--port', '0', ...flags)
  expect(code).toBe(2)
  expect(stderr).toContain(why)
  expect(stderr).not.toContain('secret')
})
