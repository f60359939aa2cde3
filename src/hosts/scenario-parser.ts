import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { explainDeniedAccess } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import { createScenarioFinder, parseScenario } from '../scenario/parse.ts'
import type { ParseRequest, ScenarioParser } from '../scenario/parse.ts'
import type { Scenario } from '../scenario/schema.ts'
import { findPackageFolder } from './package-folder.ts'

/** The parsed scenario or the error message. */
export type ParseResult = { scenario: Scenario } | { problem: string }

/** A message of the worker: `started` when it begins to parse, later the result. */
export type ParseMessage = 'started' | ParseResult

/**
 * Maximum length that is parsed in this thread, characters. Parsing 16 KB of the slowest YAML takes
 * 100 ms.
 */
const maxLengthHere = 16_384
/** Maximum heap of the worker thread, MB. */
const maxHeapMb = 256
/** Timeout for parsing, ms. It does not include loading the worker, which a busy machine delays. */
const maxMs = 20_000

/**
 * Creates a server's scenario parser. Long texts are parsed one at a time in a worker thread, so
 * that large or malicious YAML does not block requests.
 */
export function createScenarioParser(): ScenarioParser {
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    const { text, source, library } = request
    if (text.length <= maxLengthHere)
      return parseScenario(text, source, createScenarioFinder(library))
    const parsing = last.then(() => parseInWorker(request))
    last = parsing.catch(() => {})
    return parsing
  }
}

async function parseInWorker(request: ParseRequest): Promise<Scenario> {
  let worker: Worker
  try {
    worker = startWorker(request)
  } catch (error) {
    const why = explainDeniedAccess(error)
    if (why === undefined) throw error
    throw new SandboxError(
      `Failed to read the scenario: it is parsed in a worker thread, and ${why}.`,
    )
  }
  let timer: NodeJS.Timeout | undefined
  try {
    const result = await new Promise<ParseResult>((resolve, reject) => {
      worker.on('message', (message: ParseMessage) => {
        if (message === 'started') timer = setTimeout(() => void worker.terminate(), maxMs)
        else resolve(message)
      })
      worker.once('error', reject)
      worker.once('exit', () =>
        reject(createTooExpensiveError(`parsing takes more than ${maxMs / 1_000} seconds`)),
      )
    })
    if ('problem' in result) throw new SandboxError(result.problem)
    return result.scenario
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw createTooExpensiveError(`parsing takes more than ${maxHeapMb} MB`)
  } finally {
    clearTimeout(timer)
  }
}

function startWorker(workerData: ParseRequest): Worker {
  const options = { workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }
  const folder = pathToFileURL(`${findPackageFolder()}/`)
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('dist/server/parse-worker.js', folder), options)
  // The worker needs tsx to run from the TypeScript sources.
  const file = new URL('src/hosts/parse-worker.ts', folder).href
  const [loader, worker] = ['tsx/esm/api', file].map((name) => JSON.stringify(name))
  const code = `import(${loader}).then((tsx) => { tsx.register(); return import(${worker}) })`
  return new Worker(code, { ...options, eval: true })
}

function createTooExpensiveError(why: string): SandboxError {
  return new SandboxError(`Failed to read the scenario: ${why}. Use a smaller scenario.`)
}
