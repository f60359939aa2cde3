import { readFileSync } from 'node:fs'
import { explainReadError, explainWriteError } from '../lib/file-errors.ts'
import { CredentialPatterns } from '../lib/credentials.ts'
import type { LiveKeyOptions } from '../lib/credentials.ts'
import { truncateForMessage, quoteText, SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { SandboxOptions } from '../sandbox/options.ts'
import { KeyList } from '../sandbox/option-fields.ts'
import { createKeySource } from '../api/api-keys.ts'
import { prepareScenario } from '../scenario/prepare.ts'
import { isSeededKey } from '../hosts/server/network-exposure.ts'
import type { KeyRecord } from '../hosts/server/network-exposure.ts'
import type { ServeFlags } from './flags.ts'
import { createFile } from './replace-file.ts'

/**
 * Chooses the API keys according to the flags. Random keys in saved worlds stay valid.
 *
 * @throws {SandboxError} if flags conflict or the key file cannot be used
 */
export async function chooseKeys(
  { keys, keysFile, ...live }: Pick<ServeFlags, 'keys' | 'keysFile'> & LiveKeyOptions,
  {
    scenario,
    library,
    savedKeys = [],
  }: Pick<SandboxOptions, 'scenario' | 'library'> & {
    savedKeys?: readonly unknown[] | undefined
  },
): Promise<SandboxOptions['keys']> {
  if (keysFile !== undefined && keys !== undefined)
    throw new SandboxError(
      `Failed to serve with --keys ${keys} and --keys-file: both set the API keys. Use only one.`,
    )
  if (keysFile !== undefined)
    return (
      readKeys(keysFile, new CredentialPatterns(live)) ?? makeKeys(keysFile, { scenario, library })
    )
  return keys === 'random' ? (findRandomKeys(savedKeys) ?? keys) : keys
}

/**
 * Warns about keys in the file whose roles do not exist in the scenario, for example because of a
 * typo.
 */
export function warnAboutUnusedKeys(
  given: SandboxOptions['keys'],
  { keys }: Pick<Sandbox, 'keys'>,
  log: (message: string) => void,
): void {
  const unused =
    typeof given === 'object' ? Object.keys(given).filter((role) => !Object.hasOwn(keys, role)) : []
  if (unused.length === 0) return
  const names = unused.map((role) => truncateForMessage(role, 80)).join(', ')
  log(
    '--keys-file has keys for roles that do not exist in the scenario, so they are not used: ' +
      `${truncateForMessage(names, 400)}. The roles are ${Object.keys(keys).join(', ')}.`,
  )
}

/** Reads a key file, or returns undefined if it does not exist. */
function readKeys(
  file: string,
  credentials: CredentialPatterns,
): Record<string, string> | undefined {
  let text: string
  try {
    // Editors on Windows may start a file with a byte order mark.
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw createDamagedFileError(file, explainReadError(error), error)
  }
  const result = KeyList.safeParse(parse(file, text))
  const live =
    result.success &&
    Object.keys(result.data).find((each) => credentials.refuses(result.data[each] ?? ''))
  if (typeof live === 'string')
    throw new SandboxError(
      `Failed to read the key file (${file}): the key of ${quoteText(live, 80)} looks like a key of ` +
        'a live service. Replace it, or set --allow-live-looking-keys.',
    )
  if (result.success) return result.data
  const [issue] = result.error.issues
  const [role] = issue?.path ?? []
  const [place, kind] =
    role === undefined
      ? ['it', 'an object with a key for each role']
      : [`the key of ${JSON.stringify(String(role).slice(0, 80))}`, 'a string']
  throw createDamagedFileError(
    file,
    `${place} ${issue?.code === 'invalid_type' ? `must be ${kind}` : issue?.message}`,
  )
}

/**
 * Creates a key file, readable only by its owner, with a random key for each role of the scenario.
 */
async function makeKeys(
  file: string,
  { scenario, library }: Pick<SandboxOptions, 'scenario' | 'library'>,
): Promise<Record<string, string>> {
  const options = SandboxOptions.pick({ scenario: true, library: true }).parse({
    scenario,
    library,
  })
  const { seed, organisations } = prepareScenario(options.scenario, options.library).header
  const maker = createKeySource('random')
  const keys = Object.fromEntries(
    organisations.flatMap(({ name, roles }) =>
      roles.map((role) => [role, maker.getKey(role, { seed, organisation: name })]),
    ),
  )
  try {
    await createFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new SandboxError(
      `Failed to write the key file (${file}): ${explainWriteError(error)}. Use another --keys-file.`,
      {
        cause: error,
      },
    )
  }
  return keys
}

/** Returns the random keys in saved key records, by role, or undefined if there are none. */
function findRandomKeys(records: readonly unknown[]): Record<string, string> | undefined {
  // Ignores keys that the scenario sets, because they are not random.
  const random = records
    .filter((record): record is KeyRecord => typeof record === 'object' && record !== null)
    .filter((record) => String(record.key).startsWith('sk_sandbox_') && !isSeededKey(record))
  const result = KeyList.safeParse(Object.fromEntries(random.map(({ role, key }) => [role, key])))
  return random.length > 0 && result.success ? result.data : undefined
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw createDamagedFileError(file, 'it is not well-formed JSON', error)
  }
}

function createDamagedFileError(file: string, why: string, cause?: unknown): SandboxError {
  return new SandboxError(
    `Failed to read the key file (${file}): ${why}. Fix it, or use another --keys-file.`,
    { cause },
  )
}
