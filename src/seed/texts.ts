import { getOwnProperty } from '../lib/plain-json.ts'
import type { Random } from '../world/random.ts'
import { createNotReadyError, SandboxError } from '../errors.ts'
import type { Persona } from './persona.ts'
import type { SeedTexts } from './seed-texts.ts'
import type { World } from '../world/world.ts'

/** Sources of names and texts. */
export interface TextSources {
  random: Random
  texts: SeedTexts
}

/**
 * Returns the sources of names and texts for a new record. The sources use only the record's own
 * random numbers.
 * @throws {SandboxError}
 */
export function createTextSources({
  world,
  random,
}: {
  world: Pick<World, 'texts'>
  random: Random
}): TextSources {
  return { random, texts: requireTexts(world) }
}

/**
 * Returns the texts of a seeded world, by kind.
 * @throws {SandboxError} before the data is loaded
 */
export function requireTexts({ texts }: Pick<World, 'texts'>): SeedTexts {
  if (texts === undefined) throw createNotReadyError('find a text')
  return texts as SeedTexts
}

/**
 * Returns the sources of names and texts of a seeded world.
 * @throws {SandboxError} before the data is loaded
 */
export function getTextSources(world: Pick<World, 'texts' | 'random'>): TextSources {
  return { random: world.random, texts: requireTexts(world) }
}

/**
 * Returns the persona of an account. If no persona has the account's persona name, returns the
 * first persona.
 * @throws {SandboxError}
 */
export function getPersona(
  { personas }: Pick<SeedTexts, 'personas'>,
  { persona: name }: { persona: string } = { persona: '' },
): Persona {
  const persona = getOwnProperty(personas, name) ?? Object.values(personas)[0]
  if (persona === undefined)
    throw new SandboxError(
      `Failed to find the persona ${name}: no persona is loaded. Choose one of fixtures/personas.`,
    )
  return persona
}
