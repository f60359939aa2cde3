/** The level of a log line: an `error` of the sandbox itself, or a `note`. */
export type LogLevel = 'error' | 'note'

/** A logger. */
export type Log = (message: string, level: LogLevel) => void
