import { SandboxError } from '../errors.ts'
import { findNearestWord } from '../lib/nearest-word.ts'
import { toIsoTime } from '../lib/time.ts'
import type { Faker } from './faker.ts'
import { isDate } from '../lib/realms.ts'

/** Sources of the values of a template. */
export interface TemplateSources {
  /** @default templates have no helpers of faker */
  faker?: Faker | undefined
  /** Values such as `fan.firstName`. */
  values?: ReadonlyMap<string, string> | undefined
}

/** Maximum length of a filled text, and of the arguments of a helper, characters. */
const maxLength = 10_000

/** Maximum length of a template in an error message, characters. */
const maxQuoted = 120

/** Thrown if a template cannot be filled in. */
export class TemplateError extends SandboxError {
  /** The problem with its template, without a full stop. */
  readonly problem: string

  constructor(written: string, why: string) {
    const quoted = written.length > maxQuoted ? `${written.slice(0, maxQuoted)}…` : written
    super(`Failed to fill in the template (${quoted}): ${why}.`)
    this.problem = `the template ${quoted} is invalid: ${why}`
  }
}

/** The helpers of faker that return a text, a number or a date, by module. */
const helpersByModule = {
  airline: 'flightNumber recordLocator seat aircraftType',
  animal:
    'bear bird cat cetacean cow crocodilia dog fish horse insect lion petName rabbit rodent snake ' +
    'type',
  book: 'author format genre publisher series title',
  color: 'human rgb space cssSupportedFunction cssSupportedSpace',
  commerce:
    'department isbn price product productAdjective productDescription productMaterial ' +
    'productName upc',
  company:
    'buzzAdjective buzzNoun buzzPhrase buzzVerb catchPhrase catchPhraseAdjective ' +
    'catchPhraseDescriptor catchPhraseNoun name',
  database: 'collation column engine mongodbObjectId type',
  datatype: 'boolean',
  date: 'anytime between birthdate future month past recent soon timeZone weekday',
  finance:
    'accountName accountNumber amount bic bitcoinAddress creditCardCVV creditCardIssuer ' +
    'creditCardNumber currencyCode currencyName currencyNumericCode currencySymbol ' +
    'ethereumAddress iban litecoinAddress pin routingNumber transactionDescription transactionType',
  food: 'adjective description dish ethnicCategory fruit ingredient meat spice vegetable',
  git: 'branch commitDate commitEntry commitMessage commitSha',
  hacker: 'abbreviation adjective ingverb noun phrase verb',
  helpers:
    'arrayElement fromRegExp rangeToNumber replaceCreditCardSymbols replaceSymbols slugify ' +
    'weightedArrayElement',
  image: 'avatar avatarGitHub dataUri personPortrait url urlPicsumPhotos',
  internet:
    'displayName domainName domainSuffix domainWord email emoji exampleEmail httpMethod ' +
    'httpStatusCode ip ipv4 ipv6 jwt jwtAlgorithm mac password port protocol url userAgent username',
  location:
    'buildingNumber cardinalDirection city continent country countryCode county direction ' +
    'latitude longitude ordinalDirection postalAddress secondaryAddress state street ' +
    'streetAddress timeZone zipCode',
  lorem: 'lines paragraph paragraphs sentence sentences slug text word words',
  music: 'album artist genre songName',
  number: 'bigInt binary float hex int octal romanNumeral',
  person:
    'bio firstName fullName gender jobArea jobDescriptor jobTitle jobType lastName middleName ' +
    'prefix sex sexType suffix zodiacSign',
  phone: 'imei number',
  string:
    'alpha alphanumeric binary fromCharacters hexadecimal nanoid numeric octal sample symbol ulid ' +
    'uuid',
  system:
    'commonFileExt commonFileName commonFileType cron directoryPath fileExt fileName filePath ' +
    'fileType mimeType networkInterface semver',
  vehicle: 'bicycle color fuel manufacturer model type vehicle vin vrm',
  word: 'adjective adverb conjunction interjection noun preposition sample verb words',
} as const

/** The names of all helpers of faker that a template can use, such as `person.firstName`. */
export const templateHelpers: ReadonlySet<string> = new Set(
  Object.entries(helpersByModule).flatMap(([module, names]) =>
    names.split(' ').map((name) => `${module}.${name}`),
  ),
)

/** Modules whose numbers are values, not counts. Their helpers generate one value. */
const valueModules: ReadonlySet<string> = new Set(['number', 'date', 'commerce', 'location'])
/** Maximum of the counts in the arguments of other helpers, checked before the helper runs. */
const maxCounts: Readonly<Record<string, number>> = { lorem: 1_000, word: 1_000, helpers: 1_000 }

/** Matches a name at the start of a placeholder: `{{ module.method`, with spaces. */
const placeholderStart = /\{\{\s*([A-Za-z][\w.]*)\s*/y

/**
 * Replaces the placeholders of a text in one pass: `{{fan.firstName}}` with a value,
 * `{{module.method}}` or `{{module.method(JSON arguments)}}` with a value of faker. Results are not
 * scanned again. `\{{` is a literal `{{`.
 * @throws {TemplateError} for an unknown name, invalid arguments, and a result that is no text
 */
export function fillTemplate(text: string, sources: TemplateSources): string {
  return replacePlaceholders(text, (placeholder) => fillIn(placeholder, sources))
}

/**
 * Checks the helpers and their arguments in a text, without calling them.
 * @throws {TemplateError}
 */
export function checkTemplate(text: string): void {
  replacePlaceholders(text, (placeholder) => {
    parseHelper(placeholder)
    return ''
  })
}

/** Returns the names in the placeholders of a text. */
export function listPlaceholders(text: string): string[] {
  const names: string[] = []
  replacePlaceholders(text, ({ name }) => {
    names.push(name)
    return ''
  })
  return names
}

/** Escapes a text, so that a template with it results in the same text. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '\\{{')
}

/** A placeholder in a text. */
interface Placeholder {
  /** The whole placeholder, as in the text. */
  written: string
  name: string
  /** JSON without the outer brackets. */
  args: string | undefined
}

function replacePlaceholders(text: string, replace: (placeholder: Placeholder) => string): string {
  let filled = ''
  let from = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    if (text[open - 1] === '\\') {
      filled += `${text.slice(from, open - 1)}{{`
      from = open + 2
      continue
    }
    const { name, args, end } = parsePlaceholder(text, open)
    filled += text.slice(from, open) + replace({ written: text.slice(open, end), name, args })
    from = end
    if (filled.length > maxLength)
      throw new TemplateError(text, `the result has more than ${maxLength} characters`)
  }
  return from === 0 ? text : filled + text.slice(from)
}

/** Parses the placeholder at an index. `end` is the index after it. */
function parsePlaceholder(
  text: string,
  open: number,
): Omit<Placeholder, 'written'> & { end: number } {
  placeholderStart.lastIndex = open
  const match = placeholderStart.exec(text)
  const [start = '', name = ''] = match ?? []
  if (match === null)
    throw new TemplateError(
      text.slice(open),
      'a name must follow {{. Write \\{{ for the characters {{',
    )
  let end = open + start.length
  let args: string | undefined
  if (text[end] === '(') {
    const close = findClosingBracket(text, end)
    args = text.slice(end + 1, close)
    end = close + 1
    while (text[end] === ' ') end += 1
  }
  if (!text.startsWith('}}', end))
    throw new TemplateError(
      text.slice(open),
      'it must end with }}. Write \\{{ for the characters {{',
    )
  return { name, args, end: end + 2 }
}

/** Returns the index of the bracket that closes the one at `open`. Ignores brackets in strings. */
function findClosingBracket(text: string, open: number): number {
  let depth = 0
  let isString = false
  for (let index = open; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\' && isString) index += 1
    else if (character === '"') isString = !isString
    else if (isString) continue
    else if (character === '(') depth += 1
    else if (character === ')' && (depth -= 1) === 0) return index
  }
  throw new TemplateError(text.slice(open), 'the brackets of its arguments are not closed')
}

function fillIn(placeholder: Placeholder, { faker, values }: TemplateSources): string {
  const { written, name, args } = placeholder
  const value = values?.get(name)
  if (value !== undefined && args === undefined) return value
  if (faker === undefined || !templateHelpers.has(name)) {
    const helpers = faker === undefined ? [] : templateHelpers
    throw createUnknownNameError(placeholder, [...(values?.keys() ?? []), ...helpers])
  }
  return toText(written, callHelper(faker, { written, name, args: parseHelper(placeholder) }))
}

/** Returns the arguments of a helper of faker. @throws {TemplateError} */
function parseHelper(placeholder: Placeholder): readonly unknown[] {
  const { written, name, args } = placeholder
  if (!templateHelpers.has(name)) throw createUnknownNameError(placeholder, [...templateHelpers])
  const parsed = parseArguments(written, args)
  assertBounded(written, name, parsed)
  return parsed
}

function createUnknownNameError(
  { written, name }: Placeholder,
  known: readonly string[],
): TemplateError {
  const near = findNearestWord(known, name)
  const hint = near === undefined ? '' : `; did you mean ${near}`
  return new TemplateError(written, `there is no ${name}${hint}`)
}

function parseArguments(written: string, args = ''): readonly unknown[] {
  if (args.length > maxLength) throw new TemplateError(written, 'its arguments are too long')
  try {
    return JSON.parse(`[${args}]`) as unknown[]
  } catch (error) {
    throw new TemplateError(written, `its arguments must be JSON: ${(error as Error).message}`)
  }
}

/** Rejects counts that are too large, before a helper generates that many characters or words. */
function assertBounded(written: string, name: string, args: readonly unknown[]): void {
  const [module = ''] = name.split('.')
  if (valueModules.has(module) || name === 'finance.amount') return
  const most = maxCounts[module] ?? maxLength
  const numbers = JSON.stringify(args).match(/\d[\d.e+]*/gi) ?? []
  const sum = numbers.reduce((total, number) => total + (Number(number) || 0), 0)
  if (sum > most) throw new TemplateError(written, `it generates more than ${most} values`)
}

function callHelper(
  faker: Faker,
  { written, name, args }: { written: string; name: string; args: readonly unknown[] },
): unknown {
  const [module = '', method = ''] = name.split('.')
  const owner = (
    faker as unknown as Record<string, Record<string, (...args: readonly unknown[]) => unknown>>
  )[module]
  try {
    return owner?.[method]?.(...args)
  } catch (error) {
    throw new TemplateError(written, (error as Error).message)
  }
}

/** Writes a value as text. A date becomes RFC 3339. */
function toText(written: string, value: unknown): string {
  if (isDate(value)) return toIsoTime(value.getTime())
  if (typeof value === 'object' || value === undefined || typeof value === 'function')
    throw new TemplateError(written, 'it returns no text. Choose a helper that returns a text')
  const text = String(value)
  if (text.length > maxLength)
    throw new TemplateError(written, `its result has more than ${maxLength} characters`)
  return text
}
