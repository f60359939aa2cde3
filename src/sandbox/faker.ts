import { SandboxError } from '../errors.ts'
import { createFaker as createSeededFaker, loadLocale } from '../seed/faker.ts'
import type { Faker, LocaleName } from '../seed/faker.ts'
import { createRandom } from '../world/random.ts'
import { Sandbox } from './sandbox.ts'

export type { Faker, LocaleName }

/** Options of `createFaker`. */
export interface FakerOptions {
  /**
   * The language of the values, such as `de`.
   * @default en
   */
  locale?: LocaleName
}

/**
 * Creates a faker for a sandbox. The same seed results in the same sequence of values, which starts
 * again after `reset`. Dates refer to the clock of the sandbox. The values do not change the data of
 * the sandbox.
 *
 * @throws {SandboxError} if the locale is unknown
 * @example
 * const faker = await createFaker(sandbox, { locale: 'de' })
 * sandbox.make.fan({ name: faker.person.fullName() })
 */
export async function createFaker(
  sandbox: Sandbox,
  { locale = 'en' }: FakerOptions = {},
): Promise<Faker> {
  if (!(sandbox instanceof Sandbox))
    throw new SandboxError(
      'Failed to create a faker: the first argument must be a sandbox of createSandbox.',
    )
  await sandbox.ready
  const runtime = Sandbox.runtimeOf(sandbox)
  const start = () => createRandom(runtime.world.options.seed, 'faker')
  let { resets } = runtime
  let random = start()
  const randomizer = {
    next() {
      if (resets !== runtime.resets) {
        resets = runtime.resets
        random = start()
      }
      return random.next()
    },
    seed(seed: number | readonly number[]) {
      random = createRandom(0, JSON.stringify(seed))
    },
  }
  const faker = createSeededFaker(await loadLocale(locale), randomizer, 0)
  faker.setDefaultRefDate(() => new Date(sandbox.clock.now()))
  return faker
}
