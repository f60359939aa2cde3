import type { SourceLevel } from './types.ts'

/** Icons of the source levels, distinguishable without colour. */
const marks: Readonly<Record<SourceLevel, string>> = {
  documented: '●',
  published: '◐',
  observed: '◆',
  inferred: '○',
}

/** Meanings of the source levels. */
export const meanings: Readonly<Record<SourceLevel, string>> = {
  documented: 'Described in the API reference.',
  published: "Described in the service's older public documentation.",
  observed: 'Observed at the live service, and described in an overlay.',
  inferred:
    'Not described anywhere. The sandbox uses the strictest behaviour that correct clients ' +
    'can handle.',
}

/** Shows the source level as a tag, or nothing if the document has no levels. */
export function SourceTag({
  level,
  detail,
}: {
  level: SourceLevel | undefined
  detail?: string | undefined
}) {
  if (level === undefined) return null
  return (
    <span class={`source ${level}`} title={meanings[level]}>
      <span aria-hidden="true">{marks[level]}</span> {level}
      {detail !== undefined && <span class="detail">: {detail}</span>}
    </span>
  )
}

/** Shows the source level as an icon, for lists. */
export function SourceIcon({ level }: { level: SourceLevel | undefined }) {
  if (level === undefined) return null
  return (
    <span class={`mark-of ${level}`} title={level}>
      <span aria-hidden="true">{marks[level]}</span>
      <span class="hidden">{level}</span>
    </span>
  )
}

/** Shows an operation's HTTP method as a coloured label. */
export function MethodLabel({ name }: { name: string }) {
  return <span class={`method ${name.toLowerCase()}`}>{name === 'DELETE' ? 'DEL' : name}</span>
}

/** Shows a path that wraps only at slashes. */
export function PathLabel({ path }: { path: string }) {
  return (
    <code class="path">
      {path.split(/(?=\/)/).map((part, index) => [index > 0 && <wbr key={index} />, part])}
    </code>
  )
}
