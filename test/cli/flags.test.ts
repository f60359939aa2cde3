import { expect, it } from 'vitest'
import { parseFlags } from '../../src/cli/parse-flags.ts'
import { serveFlags } from '../../src/cli/flags.ts'

it('parses the seed and the names of variations', () => {
  expect(parseFlags(serveFlags, { variation: '7' })).toEqual({
    variation: { seed: 7, delayMs: 200 },
  })
  expect(parseFlags(serveFlags, { variation: '7:large-ids,time-forms' })).toEqual({
    variation: { seed: 7, only: ['large-ids', 'time-forms'], delayMs: 200 },
  })
})

it.each([
  [{ variation: 'some' }, '--variation ("some"): "some" must be a number'],
  [{ variation: '7:time-forms,large' }, '"large" must be one of absent-fields, null-fields'],
  [{ variation: 'x:large-ids,large' }, '"x" must be a number; "large" must be one of'],
  [{ port: 'many' }, 'Failed to read --port ("many"): it must be a number. See --help.'],
  [{ port: '-1' }, '--port ("-1"): it must be at least 0'],
  [{ port: '0x50' }, '--port ("0x50"): it must be a number'],
  [{ seed: '1.5' }, '--seed ("1.5"): it must be an integer'],
  [{ seed: '' }, '--seed ("")'],
  [{ now: 'noon' }, '--now ("noon"): it must be now, today, epoch ms, or an RFC 3339 time'],
  [{ clock: 'follow' }, '--clock ("follow"): it must be one of frozen, running'],
  [{ rate: '0' }, '--rate ("0"): it must be more than 0'],
  [{ baseUrl: 'ftp://a.test' }, '--base-url ("ftp://a.test"): it must be an http or https URL'],
  [{ allowHost: ['ok.example', 'x:1'] }, '--allow-host ("x:1"): it must be a host name or'],
  [{ allowOrigin: ['example.test'] }, '--allow-origin ("example.test"): it must be an origin'],
  [{ keys: 'secret' }, '--keys ("secret"): it must be one of seeded, random'],
  [{ host: '' }, '--host (""): it must not be empty'],
])('rejects %j and names the allowed values', (flags, text) => {
  expect(() => parseFlags(serveFlags, flags as Record<string, string>)).toThrow(text)
})
