/** What a text is by its top, before it is read: the name that a scenario gives itself, and whether it is one. */
export interface Peek {
  isScenario: boolean
  name: string | undefined
}

const marks = ['extends', 'organisations']

/** Looks whether a text is a scenario: it has organisations, or extends one that has. */
export async function peekScenario(text: string): Promise<Peek> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { merge: true })
  // What cannot be read as YAML is told apart by its lines: somebody's slip is to be told, what belongs to another tool is not.
  if (document.errors.length > 0) return { isScenario: new RegExp(`^(${marks.join('|')})\\s*:`, 'm').test(text), name: undefined }
  const name = document.getIn(['name'])
  return { isScenario: marks.some((field) => document.hasIn([field])), name: typeof name === 'string' ? name : undefined }
}
