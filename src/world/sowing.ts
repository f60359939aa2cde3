import { inOrder } from '../engine/order.ts'
import type { Need } from '../engine/rest.ts'
import { placeOf } from '../engine/store/rows.ts'
import type { Id } from '../engine/store/rows.ts'
import { isWork } from '../engine/work.ts'
import type { Work } from '../engine/work.ts'
import type { Scenario, ScenarioAccount } from '../scenario/schema.ts'
import { allResources } from './resources.ts'
import type { Rows, Seeding } from './seeding.ts'
import type { TableName } from './tables.ts'
import { personaOf } from './texts.ts'

/** The steps of the seeding, in order. Each step works with the records of the steps before it. */
export const steps = inOrder(allResources.flatMap(({ seeds }) => seeds ?? []))

/** After how many of the steps an account has all its records of a table. */
export const stepsOf: ReadonlyMap<string, number> = new Map(
  steps.flatMap(({ writes = [] }, place) => writes.map((table) => [table, place + 1])),
)

/** An account whose seeding has begun. */
interface Begun {
  /** Its records so far. */
  rows: Rows
  /** Makes the rest of them: whoever needs any goes on with it. */
  work: Work
  /** How many of the steps are done. */
  stepsDone: number
}

/**
 * The records of a scenario, made account by account, in any order, and of each step by step, as
 * far as somebody needs them.
 */
export class Sowing {
  readonly #seeding: Seeding
  readonly #accounts: readonly ScenarioAccount[]
  readonly #begun = new Map<number, Begun>()

  /** @param seeding with the records of the organisations */
  constructor(seeding: Seeding, { organisations }: Pick<Scenario, 'organisations'>) {
    this.#seeding = seeding
    this.#accounts = organisations.flatMap(({ accounts }) => accounts)
  }

  /** The accounts of the scenario, in its order. */
  get accountIds(): readonly number[] {
    return this.#accounts.map(({ id }) => id)
  }

  /** How many records there are. */
  get size(): number {
    return [this.#seeding.common, ...[...this.#begun.values()].map(({ rows }) => rows)].reduce(
      (sum, rows) => sum + countRows(rows),
      0,
    )
  }

  /** Makes the needed records, or all, if they are not there. */
  *making({ accountIds, table }: Need = { accountIds: this.accountIds }): Work {
    const needed = table === undefined ? steps.length : (stepsOf.get(table) ?? 0)
    for (const id of accountIds)
      // Somebody else may have gone on with it meanwhile, and failed.
      for (
        let begun = this.#beginWith(id);
        begun !== undefined && begun.stepsDone < needed;
        begun = this.#beginWith(id)
      ) {
        this.#goOn(id, begun)
        yield
      }
  }

  /** Begins with an account, if nobody did; undefined where there is none of that id. */
  #beginWith(id: number): Begun | undefined {
    const known = this.#begun.get(id)
    if (known !== undefined) return known
    const place = this.#accounts.findIndex((account) => account.id === id)
    const account = this.#accounts[place]
    if (account === undefined) return undefined
    const seeding = this.#seeding.atAccount(place)
    const begun: Begun = {
      rows: seeding.rows,
      work: seedingAccount(seeding, account, () => (begun.stepsDone += 1)),
      stepsDone: 0,
    }
    this.#begun.set(id, begun)
    return begun
  }

  /** Does a unit of the work for an account. What failed is begun anew by whoever needs it next. */
  #goOn(id: number, { work }: Begun): void {
    try {
      work.next()
    } catch (error) {
      this.#begun.delete(id)
      throw error
    }
  }

  /** Whether one of these accounts has records in a table. */
  hasRows(table: TableName, ids: readonly number[]): boolean {
    return ids.some((id) => (this.#begun.get(id)?.rows[table].length ?? 0) > 0)
  }

  /**
   * The records of a table: those of the organisations and of some accounts, in the order of the
   * scenario. @default of all accounts
   */
  rowsOf(
    table: TableName,
    accounts: Pick<ReadonlySet<number>, 'has'> = this.#begun,
  ): readonly { id: Id }[] {
    const made = this.#accounts.flatMap(({ id }) =>
      accounts.has(id) ? (this.#begun.get(id)?.rows ?? []) : [],
    )
    // Arrays are put together at once: through a function for each the rows of an account take
    // twenty times as long.
    const none: readonly { id: Id }[] = []
    return none.concat(
      ...[this.#seeding.common, ...made].map((rows): readonly { id: Id }[] => rows[table]),
    )
  }

  /**
   * What there is so far of a record of these accounts; undefined where it is not found quickly.
   */
  find(table: TableName, id: Id, accountIds: readonly number[]): { id: Id } | undefined {
    for (const accountId of accountIds) {
      const rows: readonly { id: Id }[] = this.#begun.get(accountId)?.rows[table] ?? []
      const row = rows[placeOf(rows, id)]
      if (row?.id === id) return row
    }
    return undefined
  }
}

function countRows(rows: Rows): number {
  return Object.values<readonly unknown[]>(rows).reduce((sum, { length }) => sum + length, 0)
}

function* seedingAccount(
  seeding: Seeding,
  { id, data: sizes }: ScenarioAccount,
  onStep: () => void,
): Work {
  const account = seeding.common.accounts.find((candidate) => candidate.id === id)
  // A step declares only the sizes that it reads. The plan holds the sizes of all resources.
  const plan = account && { account, sizes, persona: personaOf(seeding.texts, account) }
  for (const step of steps) {
    if (plan !== undefined) yield* all(step.account?.(seeding.branch(step.name, id), plan as never))
    onStep()
  }
}

/** All that a step has to do, whether it did so at once or does so in units. */
function* all(step: Work | void): Work {
  if (isWork(step)) yield* step
  yield
}
