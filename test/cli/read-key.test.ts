import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readKey } from '../../src/cli/verify.ts'

/** Creates a fake terminal in which a user types the given input. */
function openTerminal(typed: string) {
  const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()]
  stdin.write(typed)
  return { stdin, stderr, shown: () => String(stderr.read() ?? '') }
}

it('prompts for the key in a terminal, and does not display it', async () => {
  const terminal = openTerminal(' sk_live_1234 \r')
  expect(await readKey(undefined, terminal)).toBe('sk_live_1234')
  expect(terminal.shown()).toBe('API key of the service (input is hidden): \n')
})

it.each([
  ['nothing', '\r'],
  ['several words', 'a key\r'],
  ['Ctrl+C', '\u0003'],
  ['Ctrl+D', '\u0004'],
])('rejects %s', async (_, typed) => {
  await expect(readKey(undefined, openTerminal(typed))).rejects.toThrow(
    'the input is not an API key',
  )
})

it('explains the alternatives if there is no terminal', async () => {
  const stdin = new PassThrough()
  await expect(readKey(undefined, { stdin, stderr: new PassThrough() })).rejects.toThrow(
    'Use --key-env NAME',
  )
})
