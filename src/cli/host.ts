/** Signals that stop the server gracefully. Closing the terminal sends SIGHUP. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * The parts of the process that the command uses: output, signals and exit. Tests pass a substitute
 * instead of `process`.
 */
export interface Host {
  stdout: Output
  /** Receives messages for the user, separate from the command output. */
  stderr: Output
  on: (signal: (typeof endingSignals)[number], listener: () => void) => unknown
  exit: (code: number) => void
}

interface Output {
  write: (text: string) => unknown
  isTTY?: boolean
  columns?: number
}

/** Creates a logger that prints one line to stderr per message. */
export function createLogger({ stderr }: Host): (message: string) => void {
  return (message) => {
    stderr.write(`${message}\n`)
  }
}
