import type { Id } from '../engine/store/rows.ts'
import { inOrder } from '../engine/order.ts'
import { isWork } from '../engine/work.ts'
import type { Work } from '../engine/work.ts'
import type { Scenario, ScenarioAccount } from '../scenario/schema.ts'
import { allResources } from './resources.ts'
import type { Rows, Seeding } from './seeding.ts'
import type { TableName } from './tables.ts'
import { personaOf } from './texts.ts'

/** The steps of the seeding, in order. Each step works with the records of the steps before it. */
export const steps = inOrder(allResources.flatMap(({ seeds }) => seeds ?? []))

/** The records of a scenario, made account by account, in any order. */
export class Sowing {
  readonly #seeding: Seeding
  readonly #accounts: readonly ScenarioAccount[]
  readonly #made = new Map<number, Rows>()
  /** What makes the records of an account that somebody has begun with: whoever needs them meanwhile goes on with it. */
  readonly #underWay = new Map<number, Work<Rows>>()

  /** @param seeding with the records of the organisations */
  constructor(seeding: Seeding, { organisations }: Pick<Scenario, 'organisations'>) {
    this.#seeding = seeding
    this.#accounts = organisations.flatMap(({ accounts }) => accounts)
  }

  /** How many records there are. */
  get size(): number {
    return [this.#seeding.common, ...this.#made.values()].reduce((sum, rows) => sum + countRows(rows), 0)
  }

  /** Makes the records of these accounts, or of all, if they are not there. */
  *making(ids: readonly number[] = this.#accounts.map(({ id }) => id)): Work {
    for (const id of ids) yield* this.#makingAccount(id)
  }

  *#makingAccount(id: number): Work {
    while (!this.#made.has(id)) {
      const work = this.#underWay.get(id) ?? this.#begin(id)
      if (work === undefined) return
      this.#goOn(id, work)
      yield
    }
  }

  #begin(id: number): Work<Rows> | undefined {
    const place = this.#accounts.findIndex((account) => account.id === id)
    const account = this.#accounts[place]
    if (account === undefined) return undefined
    const work = seedingAccount(this.#seeding.atAccount(place), account)
    this.#underWay.set(id, work)
    return work
  }

  /** Does a unit of the work for an account. What failed is begun anew by whoever needs it next. */
  #goOn(id: number, work: Work<Rows>): void {
    try {
      const { done, value } = work.next()
      if (done !== true) return
      this.#made.set(id, value)
    } catch (error) {
      this.#underWay.delete(id)
      throw error
    }
    this.#underWay.delete(id)
  }

  /** Whether one of these accounts has records in a table. */
  hasRows(table: TableName, ids: readonly number[]): boolean {
    return ids.some((id) => (this.#made.get(id)?.[table].length ?? 0) > 0)
  }

  /** The records of a table: those of the organisations and of some accounts, in the order of the scenario. @default all that are there */
  rowsOf(table: TableName, accounts: Pick<ReadonlySet<number>, 'has'> = this.#made): readonly { id: Id }[] {
    const made = this.#accounts.flatMap(({ id }) => (accounts.has(id) ? (this.#made.get(id) ?? []) : []))
    // Arrays are put together at once: through a function for each the rows of an account take twenty times as long.
    const none: readonly { id: Id }[] = []
    return none.concat(...[this.#seeding.common, ...made].map((rows): readonly { id: Id }[] => rows[table]))
  }
}

function countRows(rows: Rows): number {
  return Object.values<readonly unknown[]>(rows).reduce((sum, { length }) => sum + length, 0)
}

function* seedingAccount(seeding: Seeding, { id, data: sizes }: ScenarioAccount): Work<Rows> {
  const account = seeding.common.accounts.find((candidate) => candidate.id === id)
  if (account === undefined) return seeding.rows
  // A step declares only the sizes that it reads. The plan holds the sizes of all resources.
  const persona = personaOf(seeding.texts, account)
  for (const step of steps) yield* all(step.account?.(seeding.branch(step.name, id), { account, sizes, persona } as never))
  return seeding.rows
}

/** All that a step has to do, whether it did so at once or does so in units. */
function* all(step: Work | void): Work {
  if (isWork(step)) yield* step
  yield
}
