import { getOwnProperty } from '../lib/plain-json.ts'
import { SandboxError } from '../errors.ts'
import { shippedPersonas } from '../generated/persona-index.ts'
import type { Persona } from './persona.ts'
import type { SeedTexts } from './seed-texts.ts'

/** The parts of a scenario that determine which personas it uses. */
export interface PersonaChoices {
  organisations: readonly {
    accounts: readonly { id: number; username: string; persona?: string }[]
  }[]
  personas: SeedTexts['personas']
}

/**
 * Loads the personas that the accounts use, and adds the personas that the scenario defines. If
 * there are no accounts, loads the persona for a new account.
 * @throws {SandboxError} for an unknown name
 */
export async function loadPersonas({
  organisations,
  personas: written,
}: PersonaChoices): Promise<SeedTexts['personas']> {
  const accounts = organisations.flatMap((organisation) => organisation.accounts)
  const loaded: [string, Persona][] = await Promise.all(
    (accounts.length === 0 ? [{ id: 0, username: '' }] : accounts).map(async (account) => {
      const name = getPersonaName(account)
      const persona =
        getOwnProperty(written, name) ?? (await getOwnProperty(shippedPersonas, name)?.())?.default
      if (persona !== undefined) return [name, persona]
      throw new SandboxError(
        `Failed to load the scenario (account ${account.username}, persona ${name}): this ` +
          'persona does not exist. Choose one of ' +
          `${[...Object.keys(written), ...Object.keys(shippedPersonas)].join(', ')}, or define ` +
          'it under personas.',
      )
    }),
  )
  return { ...Object.fromEntries(loaded), ...written }
}

/**
 * Returns the name of an account's persona. Without a given name, selects a shipped persona by the
 * account's id.
 */
export function getPersonaName({ id, persona }: { id: number; persona?: string }): string {
  const names = Object.keys(shippedPersonas)
  return persona ?? names[id % names.length] ?? ''
}
