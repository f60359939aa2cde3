/** A write by a client. The name of the write is unique in the world. */
export interface Write {
  name: string
  /**
   * Time when the write was acknowledged, ms. Undefined if the client received an error or no
   * response.
   */
  ackedAt: number | undefined
}

/** An event after which acknowledged writes may be missing. */
export interface Incident {
  at: number
  /** Maximum age of a lost write, ms. */
  lossMs: number
}

/** Problems with the writes to all worlds. */
export interface WriteReport {
  acked: number
  /** Lost writes that are within the limit of an incident. */
  lostInBound: number
  /** Lost writes that exceed the limit. */
  lost: string[]
  /**
   * Lost writes for which a later write to the same world, made before the next incident, was kept.
   */
  overwritten: string[]
  doubled: string[]
}

/** Compares the writes to a world, in order, with the names that the world finally contains. */
export function checkWrites(
  report: WriteReport,
  { world, writes, kept }: { world: string; writes: readonly Write[]; kept: readonly string[] },
  incidents: readonly Incident[],
): void {
  const counts = new Map<string, number>()
  for (const name of kept) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { name } of writes)
    if ((counts.get(name) ?? 0) > 1) report.doubled.push(`${world} ${name}`)
  const acked = writes.filter((write) => write.ackedAt !== undefined)
  report.acked += acked.length
  for (const [index, { name, ackedAt = 0 }] of acked.entries()) {
    if (counts.has(name)) continue
    const next = incidents.find(({ at }) => at >= ackedAt)
    const isCovered = next !== undefined && next.at - ackedAt <= next.lossMs
    const end = next?.at ?? Infinity
    const later = acked
      .slice(index + 1)
      .find((each) => (each.ackedAt ?? 0) < end && counts.has(each.name))
    const when =
      next === undefined
        ? 'after the last incident'
        : `${Math.round(next.at - ackedAt)} ms before the incident`
    if (later !== undefined)
      report.overwritten.push(
        `${world} ${name}, acknowledged ${when}: ${later.name}, ` +
          `${Math.round((later.ackedAt ?? 0) - ackedAt)} ms later, was kept`,
      )
    else if (isCovered) report.lostInBound += 1
    else report.lost.push(`${world} ${name}`)
  }
}

export function createWriteReport(): WriteReport {
  return { acked: 0, lostInBound: 0, lost: [], overwritten: [], doubled: [] }
}
