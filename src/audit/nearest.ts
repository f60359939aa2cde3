import leven from 'leven'

/** The name that one was likely mistaken for; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = toPlain(name)
  const [best] = known
    .map((candidate) => ({ candidate, distance: leven(plain, toPlain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, candidate.length) / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** `pageSize` and `page_size` are near one another, whatever their letters. */
function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}
