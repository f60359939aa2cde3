import type { TableDefinitions } from '../data/tables.ts'
import { Timeline } from './timeline.ts'
import { World } from './world.ts'

/** Options of a fork. */
export interface ForkOptions<World> {
  /** The id of the new world. @default the id of the original world */
  id?: string
  /**
   * State to fork: the current state, or the state that `reset` restores.
   * @default 'present'
   */
  from?: 'present' | 'origin'
  /** Applied to the new world. `reset` restores the resulting state. */
  change?: (fork: World) => void
}

/**
 * Creates an independent world with the same records and state.
 * @throws {SandboxError} if the world has no data yet
 */
export function forkWorld<Definitions extends TableDefinitions>(
  world: World<Definitions>,
  { id = world.id, from = 'present', change }: ForkOptions<World<Definitions>> = {},
): World<Definitions> {
  world.requireSeeded('fork')
  const snapshot = from === 'present' ? world.snapshot() : world.origin
  const { memory, conditions } = world.options
  memory?.require('create a world')
  // A fork with the same id belongs to another sandbox, so it gets a separate memory limit and
  // separate `conditions`.
  const own = id === world.id && { memory: memory?.again(), conditions: { ...conditions } }
  const options = { ...world.options, id, baseUrl: world.baseUrl, ...own }
  const fork = new World(options, world.rules)
  fork.servesPictures = world.servesPictures
  fork.timeline = new Timeline(world.timeline.steps.again())
  fork.texts = world.texts
  fork.factories = world.factories
  fork.replaceWith(world, change, snapshot)
  return fork
}
