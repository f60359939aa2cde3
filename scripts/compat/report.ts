/**
 * Says of a check on a line whether it holds; a failed one fails the process. Returns whether it
 * holds.
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
