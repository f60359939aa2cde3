/** Signals that stop the server gracefully. SIGHUP is sent when its terminal is closed. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * The part of the process that the command needs: output, signals and exit. In production it is
 * `process`; tests pass their own.
 */
export interface Host {
  stdout: Output
  /** Messages for the user, separate from the output of the command. */
  stderr: Output
  on: (signal: (typeof endingSignals)[number], listener: () => void) => unknown
  exit: (code: number) => void
}

interface Output {
  write: (text: string) => unknown
  isTTY?: boolean
  columns?: number
}

/** Creates a logger that prints each message on a line of stderr. */
export function createLog({ stderr }: Host): (message: string) => void {
  return (message) => {
    stderr.write(`${message}\n`)
  }
}
