/**
 * What a line of the log tells of: an `error` of the sandbox itself, or something to know, a
 * `note`.
 */
export type LogLevel = 'error' | 'note'

/** Tells whoever runs a sandbox. */
export type Log = (message: string, level: LogLevel) => void
