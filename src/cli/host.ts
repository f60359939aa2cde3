/** What ends the server in order; the last one comes when its terminal is closed. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * The process as far as the command needs it: where it prints, what stops it, how it ends. The real
 * one is `process`; tests bring their own.
 */
export interface Host {
  stdout: Output
  /** For the person at the terminal, beside what the command prints. */
  stderr: Output
  on: (signal: (typeof endingSignals)[number], listener: () => void) => unknown
  exit: (code: number) => void
}

interface Output {
  write: (text: string) => unknown
  isTTY?: boolean
  columns?: number
}

/** Tells the person at the terminal, a line each. */
export function createLog({ stderr }: Host): (message: string) => void {
  return (message) => {
    stderr.write(`${message}\n`)
  }
}
