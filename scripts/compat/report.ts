/**
 * Prints a line that says if a check passed. A failed check fails the process. Returns true if it
 * passed.
 */
export async function check(title: string, task: () => unknown): Promise<boolean> {
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
