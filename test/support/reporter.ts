import { DefaultReporter } from 'vitest/node'
import type { TestCase, TestModule, TestModuleState, TestSpecification } from 'vitest/node'

/** Runs of at most this many files print a line for each file. */
const maxListedFiles = 20

/**
 * Prints only the failed files and tests of a long run. If the output is not a terminal, which shows
 * a progress display, prints a line after each tenth of the files.
 */
export default class ShortReporter extends DefaultReporter {
  #files = 0
  #finished = 0

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#files = specifications.length
    this.#finished = 0
    // Hides what passed tests print to the console.
    if (this.#isLong()) this.silent = 'passed-only'
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.#finished += 1
    const tenths = Math.floor((this.#finished * 10) / this.#files)
    const before = Math.floor(((this.#finished - 1) * 10) / this.#files)
    if (this.#isLong() && !this.isTTY && tenths > before)
      this.log(` ${this.#finished} of ${this.#files} files`)
  }

  protected override printTestModule(module: TestModule): void {
    if (!this.#isLong() || module.state() === 'failed') super.printTestModule(module)
  }

  protected override printTestCase(state: TestModuleState, test: TestCase): void {
    if (!this.#isLong() || test.result().state === 'failed') super.printTestCase(state, test)
  }

  #isLong(): boolean {
    return this.#files > maxListedFiles
  }
}
