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
  documented: 'The reference of the API describes it.',
  published: "The service's older public documentation describes it.",
  observed: 'An overlay describes it, from observation of the service.',
  inferred:
    'No source describes it: the sandbox follows the strictest reading that a correct client survives.',
}

/** The source level as a tag. Empty if the document has none. */
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

/** The source level as an icon, for lists. */
export function SourceMark({ level }: { level: SourceLevel | undefined }) {
  if (level === undefined) return null
  return (
    <span class={`mark-of ${level}`} title={level}>
      <span aria-hidden="true">{marks[level]}</span>
      <span class="hidden">{level}</span>
    </span>
  )
}

/** The method of a request. */
export function Method({ name }: { name: string }) {
  return <span class={`method ${name.toLowerCase()}`}>{name === 'DELETE' ? 'DEL' : name}</span>
}

/** A path that wraps only at slashes. */
export function Path({ path }: { path: string }) {
  return (
    <code class="path">
      {path.split(/(?=\/)/).map((part, index) => [index > 0 && <wbr key={index} />, part])}
    </code>
  )
}
