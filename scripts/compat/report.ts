/**
 * Prints the result of a check, and returns true if it passed. A failed check sets the exit code.
 */
export async function runCheck(title: string, task: () => unknown): Promise<boolean> {
  try {
    await task()
    console.log(`ok      ${title}`)
    return true
  } catch (error) {
    process.exitCode = 1
    console.log(`failed  ${title}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
