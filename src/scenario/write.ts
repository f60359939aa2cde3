import type { Work } from '../engine/work.ts'

/** How many parts of a list are written in a unit. */
const perUnit = 200

/**
 * Writes a scenario as YAML, in units, a piece each: JSON is YAML and keeps every value exactly,
 * and a step or a record a line reads well.
 */
export function* writingScenario(
  scenario: Readonly<Record<string, unknown>>,
): Work<readonly string[]> {
  const pieces: string[] = []
  for (const [field, value] of Object.entries(scenario)) {
    if (field === 'timeline')
      yield* writeList(pieces, {
        title: 'timeline:',
        indent: '',
        list: value as readonly unknown[],
      })
    else if (field === 'records') {
      pieces.push('records:\n')
      for (const [table, list] of Object.entries(
        value as Readonly<Record<string, readonly unknown[]>>,
      ))
        yield* writeList(pieces, { title: `  ${table}:`, indent: '  ', list })
    } else pieces.push(`${field}: ${JSON.stringify(value)}\n`)
  }
  return pieces
}

/** Writes an answer that holds a scenario in its field `yaml`, as the bytes of its JSON. */
export function* writingAnswer({
  yaml,
  ...answer
}: { readonly yaml: readonly string[] } & Readonly<Record<string, unknown>>): Work<
  readonly Uint8Array[]
> {
  const encoder = new TextEncoder()
  const { name, ...rest } = answer
  const bytes = [encoder.encode(`{"name":${JSON.stringify(name)},"yaml":"`)]
  for (const piece of yaml) {
    bytes.push(encoder.encode(JSON.stringify(piece).slice(1, -1)))
    yield
  }
  return [...bytes, encoder.encode(`",${JSON.stringify(rest).slice(1)}`)]
}

function* writeList(
  pieces: string[],
  { title, indent, list }: { title: string; indent: string; list: readonly unknown[] },
): Work {
  pieces.push(list.length === 0 ? `${title} []\n` : `${title}\n`)
  for (let start = 0; start < list.length; start += perUnit) {
    pieces.push(
      list
        .slice(start, start + perUnit)
        .map((item) => `${indent}  - ${JSON.stringify(item)}\n`)
        .join(''),
    )
    yield
  }
}
