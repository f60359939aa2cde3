import { expect } from 'vitest'
import type { Client } from './client.ts'

export const idsOf = <Id>(rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id)

/** A row in any list. */
export type Row = { id: number } & Record<string, unknown>

/**
 * Follows next_page unchanged to the last page and returns all rows. `list` is the key of the rows,
 * and `last` is the value of next_page on the last page.
 */
export async function readAllPages(
  client: Client,
  path: string,
  { list = 'list', last }: { list?: string; last?: null } = {},
): Promise<Row[]> {
  const rows: Row[] = []
  let next: string | null | undefined = path
  for (let pages = 0; typeof next === 'string'; pages += 1) {
    expect(pages, 'a walk must end').toBeLessThan(1000)
    const { status, body } = await client.get(next)
    if (status !== 200) expect([status, body]).toEqual([200, null])
    rows.push(...body.data[list])
    next = body._pagination?.next_page
    if (typeof next !== 'string')
      expect(body._pagination).toEqual(last === null ? { next_page: null } : undefined)
  }
  return rows
}

/** Returns the ids of all rows that `readAllPages` returns. */
export async function readAllIds(
  ...parameters: Parameters<typeof readAllPages>
): Promise<Row['id'][]> {
  return idsOf(await readAllPages(...parameters))
}
