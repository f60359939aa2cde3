/** A value that was already written as JSON. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes a value as JSON; where it is an object, its lists may hold `JsonText`, which goes in as it stands. */
export function toJson(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${listToJson(inner)}`).join(',')}}`
}

function listToJson(value: unknown): string {
  if (!Array.isArray(value) || !(value[0] instanceof JsonText)) return JSON.stringify(value)
  return `[${(value as JsonText[]).map(({ text }) => text).join(',')}]`
}
