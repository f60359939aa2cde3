import type { SourceLevel } from './types.ts'

/** Marks that differ by more than their colour. */
const marks: Readonly<Record<SourceLevel, string>> = {
  documented: '●',
  published: '◐',
  observed: '◆',
  inferred: '○',
}

/** What the levels mean. */
export const meanings: Readonly<Record<SourceLevel, string>> = {
  documented: 'The reference of the API describes it.',
  published: "The service's older public documentation describes it.",
  observed: 'An overlay of somebody who saw the service describes it.',
  inferred:
    'Nobody describes it: the sandbox takes the strictest reading that a correct client survives.',
}

/** How well something is known. Nothing where the document does not say. */
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

/** The same as a sign, for lists. */
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

/** A path that breaks at its slashes alone. */
export function Path({ path }: { path: string }) {
  return (
    <code class="path">
      {path.split(/(?=\/)/).map((part, index) => [index > 0 && <wbr key={index} />, part])}
    </code>
  )
}
