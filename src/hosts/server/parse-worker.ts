import { parentPort, workerData } from 'node:worker_threads'
import { SandboxError } from '../../errors.ts'
import { findIn, parseScenario } from '../../scenario/parse.ts'
import type { ParseRequest, ParseResult } from './scenario-parser.ts'

const { text, source, library } = workerData as ParseRequest

parentPort?.postMessage(await parse())

async function parse(): Promise<ParseResult> {
  try {
    return { scenario: await parseScenario(text, source, findIn(library)) }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { problem: error.message }
  }
}
