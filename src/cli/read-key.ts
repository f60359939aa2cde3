import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { SandboxError } from '../errors.ts'

/**
 * Reads an API key from the environment, or asks for it at a terminal without showing it. It is never printed. @throws {SandboxError} when
 * there is none.
 */
export async function readKey(name: string | undefined): Promise<string> {
  const key = (name === undefined ? await askForKey() : process.env[name])?.trim() ?? ''
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  if (name === undefined)
    throw new SandboxError('Failed to read the key: there is no terminal to ask at. Give --key-env NAME, a variable that holds it.')
  const problem = key === '' ? 'there is no such variable, or it is empty' : 'it is no API key'
  throw new SandboxError(`Failed to read the key (--key-env ${name}): ${problem}. Set it to the API key of the service.`)
}

async function askForKey(): Promise<string | undefined> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return undefined
  stderr.write('API key of the service (it is not shown): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    stderr.write('\n')
  }
}
