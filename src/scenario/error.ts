import { SandboxError } from '../errors.ts'

/**
 * Thrown if a scenario cannot be read, validated or played. The message contains the first three
 * problems.
 */
export class ScenarioError extends SandboxError {
  /** The problems, each as a sentence. */
  readonly problems: readonly string[]

  /** @param problems sentences, each starting with its position in parentheses */
  constructor(problems: readonly string[], verb: 'read' | 'play' | 'check' = 'read') {
    const [first = '', ...others] = problems
    const also = others.slice(0, 2).map((problem) => ` Also ${problem}`)
    super(
      `Failed to ${verb} the scenario ` +
        `${first}${also.join('')}${others.length > 2 ? ` And ${others.length - 2} more.` : ''}`,
    )
    this.problems = problems.map((problem) => `Failed to ${verb} the scenario ${problem}`)
  }
}
