/** The level of a log line: `error` for internal errors, `note` for everything else. */
export type LogLevel = 'error' | 'note'

/** A logger. */
export type Log = (message: string, level: LogLevel) => void
