import { SandboxError } from '../errors.ts'
import { Scenario } from './schema.ts'

/** Reads a scenario from YAML; `source` names it in errors. @throws {SandboxError} that names the source, the path, and what is allowed. */
export async function parseScenario(text: string, source: string): Promise<Scenario> {
  const { parse } = await import('yaml')
  const result = Scenario.safeParse(readYaml(parse, text, source))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  throw new SandboxError(`Failed to read the scenario (${source}${path === '' ? '' : `, at ${path}`}): ${issue?.message ?? 'it does not fit'}.`)
}

function readYaml(parse: (text: string) => unknown, text: string, source: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const [problem = ''] = (error as Error).message.split('\n')
    throw new SandboxError(`Failed to read the scenario (${source}): ${problem.replace(/[:.]$/, '')}.`, { cause: error })
  }
}
