import type { z } from 'zod'
import type { ParameterPlace } from '../../errors.ts'

type Issue = z.core.$ZodIssue

/** What a schema found fault with: the whole value, and where it stood. */
interface Fault {
  schema: z.ZodType
  value: unknown
  place: ParameterPlace
}

/** What is allowed where a schema found something else, as the end of a sentence. Schemas that say it themselves use custom issues. */
export function expectationOf(issue: Issue, received: unknown, fault: Fault): string {
  if (fault.place === 'Query parameter') {
    if (Array.isArray(received)) return 'it must be given once'
    // All that is missing is a missing text: what the text must be is told of an empty one.
    return tell((received === undefined ? retry(issue, '', fault) : undefined) ?? issue)
  }
  const told = tell(issue, retry(issue, 0.5, fault))
  const allowsNull = fault.place === 'Body field' && received !== null && retry(issue, null, fault) === undefined
  if (!allowsNull || told.includes('null')) return told
  return `${told}, or ${told.startsWith('it must be ') ? '' : 'be '}null`
}

/** What the schema says of another value in the place of the one at fault; undefined when it takes that. */
function retry({ path }: Issue, sample: unknown, { schema, value }: Fault): Issue | undefined {
  const issues = schema.safeParse(replaceAt(value, path, sample)).error?.issues ?? []
  return issues.find((each) => each.path.length === path.length && each.path.every((key, place) => key === path[place]))
}

function replaceAt(value: unknown, [key, ...rest]: readonly PropertyKey[], sample: unknown): unknown {
  if (key === undefined) return sample
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, sample))
  const object = value as Readonly<Record<PropertyKey, unknown>>
  return { ...object, [key]: replaceAt(object[key], rest, sample) }
}

/** Puts an issue into words. `ofHalf` is what the schema says of 0.5: only that tells an integer from any number. */
function tell(issue: Issue, ofHalf?: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${article(isInteger(ofHalf) ? 'integer' : (typeNames[issue.expected] ?? issue.expected))}`
    case 'invalid_value':
      return `it must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return tellChoice(issue.errors, ofHalf?.code === 'invalid_union' ? ofHalf.errors : [])
    case 'too_small':
      return `it must ${isSized(issue.origin) ? 'have' : 'be'} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin, Number(issue.minimum))}`
    case 'too_big':
      return `it must ${isSized(issue.origin) ? 'have' : 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit(issue.origin, Number(issue.maximum))}`
    default:
      return issue.message
  }
}

/** What each of several schemas wants, in one sentence. */
function tellChoice(choices: readonly (readonly Issue[])[], ofHalf: readonly (readonly Issue[])[]): string {
  const told = choices.flatMap(([issue], place) => (issue === undefined ? [] : tell(issue, ofHalf[place]?.[0]).replace(/^it must be /, '')))
  return `it must be ${[...new Set(told)].join(' or ')}`
}

function isInteger(ofHalf: Issue | undefined): boolean {
  return ofHalf?.code === 'invalid_type' && ofHalf.expected === 'int'
}

const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' }

function article(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function isSized(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

function unit(origin: string, amount: number): string {
  if (origin === 'string') return amount === 1 ? ' character' : ' characters'
  if (origin === 'array') return amount === 1 ? ' item' : ' items'
  return ''
}
