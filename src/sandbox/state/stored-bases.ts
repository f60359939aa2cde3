import { z } from 'zod'
import { UnavailableError } from '../../errors.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { Id } from '../../data/rows.ts'
import { getTable, listTables } from '../../data/tables.ts'
import type { AnyTableDefinition } from '../../data/tables.ts'
import { getBaseRows, listStoredTables } from '../../world/snapshot/snapshot.ts'
import type { Scenario } from '../../scenario/schema.ts'
import type { ActiveScenario } from '../active-scenario.ts'
import type { ResolvedOptions } from '../options.ts'
import { createCorruptItemError, parseStoredItem, storedFormat } from './world-store.ts'
import type { BaseCodec, WorldStore } from './world-store.ts'

const BaseHead = z.object({
  format: z.literal(storedFormat),
  /** Name of the base rows. It includes the version of the sandbox that seeded them. */
  name: z.string(),
  /** Name of the scenario. */
  scenario: z.string(),
  /** Name of a shipped scenario, or the scenario itself. */
  source: z.unknown(),
  seed: z.int(),
  start: z.string(),
  random: z.array(z.int()),
  sequences: z.record(z.string(), z.number()),
})

/** The scenario, seed and start time of stored base rows, and the world's state after seeding. */
export type BaseHead = Omit<z.infer<typeof BaseHead>, 'source'> & { source: string | Scenario }

const prefix = 'base-'
/**
 * Name of the store item that contains the name of the main world's base rows. Servers that start
 * later use these rows.
 */
const mainBaseItem = 'store'

/**
 * Returns the name under which base rows are stored. It is the same for all versions of the
 * sandbox.
 */
export function toBaseKey(baseName: string): string {
  return baseName.slice(baseName.lastIndexOf('/') + 1)
}

/**
 * The rows on which saved worlds are based. These rows are stored, because a later version may seed
 * different rows for the same scenario and seed.
 */
export class StoredBases {
  readonly #store: WorldStore
  readonly #codec: BaseCodec

  constructor(store: WorldStore, codec: BaseCodec) {
    this.#store = store
    this.#codec = codec
  }

  /** Reads the key of the main world's base rows, or returns undefined for a new store. */
  async mainKey(): Promise<string | undefined> {
    const bytes = await this.#store.load(mainBaseItem)
    if (bytes === undefined) return undefined
    return this.#parse(mainBaseItem, new TextDecoder().decode(bytes), MainBase).base
  }

  /** Reads the API key records in base rows. */
  async keyRecords(key: string): Promise<unknown[]> {
    const line = (await this.#read(key))?.find((each) => each.startsWith('apiKeys\t'))
    return line === undefined ? [] : (JSON.parse(line.slice(line.indexOf('\t') + 1)) as unknown[])
  }

  /**
   * Selects the base rows of a loaded scenario as the main world's base rows, for servers that
   * start later.
   */
  async setMain(active: ActiveScenario): Promise<void> {
    await this.ensure(active)
    const text = JSON.stringify({ format: storedFormat, base: toBaseKey(active.baseName) })
    await this.#store.save(mainBaseItem, new TextEncoder().encode(text))
  }

  /**
   * Reads the head of the main world's base rows.
   *
   * @throws {SandboxError}
   */
  async mainHead(): Promise<BaseHead> {
    return this.head((await this.mainKey()) ?? '')
  }

  /**
   * Reads the head of base rows.
   *
   * @throws {SandboxError} if the item is missing or damaged
   */
  async head(key: string): Promise<BaseHead> {
    const lines = await this.#read(key)
    if (lines === undefined)
      throw createCorruptItemError(this.#store, {
        item: `${prefix}${key}`,
        why: 'it is missing, and saved worlds need it',
      })
    return this.#createHead(key, lines)
  }

  /**
   * Replaces the rows of a newly loaded scenario with stored rows, if there are any. Keeps keys
   * that the options set.
   */
  async adopt(active: ActiveScenario, options: ResolvedOptions): Promise<void> {
    const key = toBaseKey(active.baseName)
    const lines = await this.#read(key)
    if (lines === undefined) return
    const head = this.#createHead(key, lines)
    await this.#replaceRows(active, { head, lines, options })
    active.baseName = head.name
  }

  /** Stores the base rows of a loaded scenario, unless they are already stored. */
  async ensure(active: ActiveScenario): Promise<void> {
    const key = toBaseKey(active.baseName)
    if ((await this.keys()).includes(key)) return
    await this.#store.save(
      `${prefix}${key}`,
      await this.#codec.compress(serialiseBaseLines(active)),
    )
  }

  /** Returns the keys of all stored base rows. */
  async keys(): Promise<string[]> {
    const names = (await this.#store.list()).map(({ name }) => name)
    return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }

  /**
   * Removes all base rows, except the main world's base rows and the base rows with the given keys.
   */
  async removeOthers(keys: ReadonlySet<string>): Promise<void> {
    const main = await this.mainKey()
    for (const key of await this.keys())
      if (key !== main && !keys.has(key)) await this.#store.remove(`${prefix}${key}`)
  }

  async #replaceRows(
    { world }: ActiveScenario,
    {
      head,
      lines,
      options,
    }: { head: BaseHead; lines: readonly string[]; options: ResolvedOptions },
  ): Promise<void> {
    const { readRecords } = await import('../../world/snapshot/read-snapshot.ts')
    const definitions = Object.fromEntries(listStoredTables(world.rules.definitions))
    const ours = serialiseBaseLines({ world })
    ours.next()
    const ownKeys = options.keys.isOwn ? world.db.apiKeys.all() : []
    let isSame = true
    for (const line of lines.slice(1)) {
      if (ours.next().value === `${line}\n`) continue
      isSame = false
      const tab = line.indexOf('\t')
      const name = line.slice(0, tab)
      const { schema } = definitions[name] ?? ({} as Partial<AnyTableDefinition>)
      // Skips tables that another version of the sandbox stored and that do not exist in this
      // version.
      if (schema === undefined) continue
      const records = JSON.parse(line.slice(tab + 1)) as { id: Id }[]
      getTable(world.db, name).load(readRecords(records, { name, schema, world }))
    }
    if (isSame) return
    for (const table of listTables(world.db)) {
      if (table.isDerived) table.rebuild()
      table.setAsBase()
    }
    world.changeLog.runWithoutLogging(() => {
      for (const { id, key } of ownKeys)
        if (world.db.apiKeys.get(id) !== undefined) world.db.apiKeys.update(id, { key })
    })
    world.random.restore(head.random)
    world.sequences.restore(head.sequences)
    world.saveAsOrigin()
  }

  async #read(key: string): Promise<string[] | undefined> {
    const item = `${prefix}${key}`
    const bytes = await this.#store.load(item)
    if (bytes === undefined) return undefined
    try {
      return (await this.#codec.decompress(bytes)).split('\n').filter((line) => line !== '')
    } catch (error) {
      throw createCorruptItemError(this.#store, {
        item,
        why: 'it cannot be decompressed',
        cause: error,
      })
    }
  }

  #createHead(key: string, [line = '']: readonly string[]): BaseHead {
    return this.#parse(`${prefix}${key}`, line, BaseHead) as BaseHead
  }

  #parse<Schema extends z.ZodType>(item: string, text: string, schema: Schema): z.infer<Schema> {
    try {
      return schema.parse(parseStoredItem(text))
    } catch (error) {
      const why = error instanceof UnavailableError ? error.message : 'it is not a stored item'
      throw createCorruptItemError(this.#store, { item, why, cause: error })
    }
  }
}

const MainBase = z.object({ format: z.literal(storedFormat), base: z.string() })

/** Serialises base rows as lines: the head, then for each table its name and its rows. */
function* serialiseBaseLines({
  world,
  ...active
}: Pick<ActiveScenario, 'world'> & Partial<ActiveScenario>): Generator<
  string,
  undefined,
  undefined
> {
  const { baseName: name, scenario, source } = active
  const { seed, start } = world.options
  const { random, sequences } = world.origin.state
  const head = {
    format: storedFormat,
    name,
    scenario,
    source,
    seed,
    start: toIsoTime(start),
    random,
    sequences,
  }
  yield `${JSON.stringify(head)}\n`
  for (const [table] of listStoredTables(world.rules.definitions))
    yield `${table}\t${JSON.stringify(getBaseRows(world, table).rows.all)}\n`
}
