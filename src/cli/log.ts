/** Tells the person at the terminal, beside what the command prints. */
export function log(message: string): void {
  process.stderr.write(`${message}\n`)
}
