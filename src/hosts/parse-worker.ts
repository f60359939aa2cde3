import { parentPort, workerData } from 'node:worker_threads'
import { SandboxError } from '../errors.ts'
import { createScenarioFinder, parseScenario } from '../scenario/parse.ts'
import type { ParseRequest } from '../scenario/parse.ts'
import type { ParseMessage, ParseResult } from './scenario-parser.ts'

const { text, source, library } = workerData as ParseRequest

send('started')
send(await parse())

function send(message: ParseMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage(message)
}

async function parse(): Promise<ParseResult> {
  try {
    return { scenario: await parseScenario(text, source, createScenarioFinder(library)) }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { problem: error.message }
  }
}
