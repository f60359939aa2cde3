import { getOwnProperty } from '../lib/own-property.ts'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { SandboxError } from '../errors.ts'

/**
 * Reads an API key from the environment, or prompts for it without echo. The key is never printed.
 * @throws {SandboxError} if no valid key is given
 */
export async function readKey(
  name: string | undefined,
  terminal: Terminal = process,
): Promise<string> {
  const key =
    (name === undefined ? await askForKey(terminal) : getOwnProperty(process.env, name))?.trim() ??
    ''
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  if (name === undefined && terminal.stdin.isTTY !== true)
    throw new SandboxError(
      'Failed to read the key: there is no terminal for a prompt. Use --key-env NAME with an ' +
        'environment variable that contains the key.',
    )
  if (name === undefined)
    throw new SandboxError(
      'Failed to read the key: the input is not an API key. Try again, or use --key-env NAME ' +
        'with an environment variable that contains the key.',
    )
  const problem =
    key === '' ? 'the environment variable is not set or empty' : 'its value is not an API key'
  throw new SandboxError(
    `Failed to read the key (--key-env ${name}): ${problem}. Set it to the API key of the service.`,
  )
}

/** The streams of the prompt. */
interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream
}

async function askForKey({ stdin, stderr }: Terminal): Promise<string | undefined> {
  if (stdin.isTTY !== true) return undefined
  stderr.write('API key of the service (input is hidden): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: stdin, output: silent, terminal: true })
  // Ctrl+C and Ctrl+D cancel the prompt.
  const left = new Promise<undefined>((resolve) => asking.once('close', () => resolve(undefined)))
  asking.once('SIGINT', () => asking.close())
  try {
    return await Promise.race([asking.question(''), left])
  } finally {
    asking.close()
    stderr.write('\n')
  }
}
