import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { estimateJsonSize } from '../lib/plain-json.ts'
import type { Size, Sizes } from '../api/sizes.ts'
import { maxRecordCharacters, maxRecords } from '../world/snapshot/snapshot.ts'
import { parseRecordTime, parseSandboxTime, recordTimeForms } from '../lib/time.ts'
import { localeNames } from '../seed/faker.ts'
import { Personas } from '../seed/persona.ts'
import { checkTemplate, TemplateError } from '../seed/template.ts'
import { runToEnd } from '../world/work.ts'
import { resources } from '../resources/all-resources.ts'
import { derivedTables, tableDefinitions } from '../resources/all-tables.ts'
import { expandTimeline, maxFileSteps, Step, TimelineError } from './expand-timeline.ts'
import { countRecords, mapTexts } from './texts.ts'
import type { PlacedText } from './texts.ts'
import { StoryClient } from './story-client.ts'
import { Watch } from './watched-figure.ts'

const timeError = 'it must be an RFC 3339 time from 2004 to 2286, such as 2026-10-01T09:00:00Z'
/** The data sizes of all resources, by name. */
type DeclaredSizes = Intersection<Extract<(typeof resources)[number], { sizes: Sizes }>['sizes']>
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

const declared = Object.assign(
  {},
  ...resources.map((resource) => ('sizes' in resource ? resource.sizes : {})),
) as DeclaredSizes

/**
 * The data sizes of an account. The fields have no defaults, so that the option `data` does not
 * reset sizes that it omits.
 */
export const AccountData = z.lazy(() =>
  z.strictObject(
    Object.fromEntries(Object.entries(declared).map(([name, { schema }]) => [name, schema()])) as {
      [Name in keyof DeclaredSizes]: ReturnType<DeclaredSizes[Name]['schema']>
    },
  ),
)
export type AccountData = z.infer<typeof AccountData>

/** Default data sizes of an account. */
export const noData = Object.fromEntries(
  Object.entries(declared).map(([name, { fallback }]) => [name, fallback]),
) as AccountData

/** An account of an organisation. */
export const ScenarioAccount = lazyStrictObject(() => ({
  id: z.int().positive().describe('The id of the account on the platform.'),
  username: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  about: z.string().max(10_000).default(''),
  subscribePrice: z.number().min(0).max(1_000_000).default(9.99).describe('Dollars per month.'),
  session: z
    .enum(['active', 'lapsed'])
    .default('active')
    .describe('lapsed: relay routes return 424.'),
  connected: z.boolean().default(true),
  daysOld: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .describe(
      "Age of the account when the clock starts, in days. The account's data covers this " +
        'period, but at most two years. Default: two to three years, depending on the seed.',
    ),
  persona: z
    .string()
    .max(100)
    .optional()
    .describe(
      "The creator's persona, defined in the scenario or shipped with the sandbox. Default: a " +
        'shipped persona that depends on the account id.',
    ),
  data: AccountData.unwrap()
    .partial()
    .prefault({})
    .transform((data): AccountData => ({ ...noData, ...data }))
    .superRefine((data, context) => {
      for (const [field, needed] of listFansNeeded(data)) {
        if (needed > data.fans)
          context.addIssue({
            code: 'custom',
            path: [field],
            message: `it needs ${needed} fans, but there are ${data.fans}`,
          })
      }
    })
    .describe(
      'Number of records of each kind to generate for the account. Default for each kind: 0.',
    ),
}))
export type ScenarioAccount = z.infer<typeof ScenarioAccount>

/** Maximum number of roles in an organisation. */
const maxRoles = 100

/** An organisation with its keys, tags and accounts. */
export const ScenarioOrganisation = lazyStrictObject(() => ({
  name: z.string().min(1).max(200),
  limits: z
    .strictObject({ minute: z.int().min(0).default(1000), day: z.int().min(0).default(50_000) })
    .default({ minute: 1000, day: 50_000 })
    .describe('Maximum number of requests per UTC minute and per UTC day.'),
  credits: z.int().min(0).nullable().default(null).describe('Remaining credits. null: unlimited.'),
  isSubscriptionActive: z.boolean().default(true).describe('false: every request gets 402.'),
  tags: z
    .array(
      z.strictObject({
        name: z.string().max(200),
        color: z.string().max(200).nullable().default(null),
      }),
    )
    .max(1000)
    .default([]),
  roles: z
    .record(z.string().max(200), z.array(z.string().max(200)).max(1000))
    .refine((roles) => Object.keys(roles).length <= maxRoles, {
      error: `it must have at most ${maxRoles} roles`,
      abort: true,
    })
    .meta({ maxProperties: maxRoles })
    .describe(
      'Permissions by role. `*` matches any characters, and a leading `!` denies permissions. ' +
        'One API key is created for each role.',
    ),
  accounts: z.array(ScenarioAccount).max(1000).default([]),
}))
export type ScenarioOrganisation = z.infer<typeof ScenarioOrganisation>

/**
 * Manually written records by table, with the fields of `GET /_sandbox/data/{table}`. Fields may be
 * omitted.
 */
export const ScenarioRecords = z.lazy(() => {
  const stored = Object.entries(tableDefinitions).filter(
    ([name]) => !(derivedTables as readonly string[]).includes(name),
  )
  return z.strictObject(
    Object.fromEntries(
      stored.map(([name, { schema }]) => [
        name,
        z.array(createManualRecordSchema(schema)).max(maxRecords).optional(),
      ]),
    ),
  )
})

/**
 * Returns the schema of a manually written record. Seeding fills in missing fields, as `make` does.
 */
function createManualRecordSchema({ shape }: z.ZodObject): z.ZodType<Record<string, unknown>> {
  const fields = Object.entries(shape).map(([field, type]) => {
    const { def } = type as z.ZodType & { def: { type: string; innerType: z.ZodType } }
    return [field, (def.type === 'default' ? def.innerType : (type as z.ZodType)).optional()]
  })
  return z
    .strictObject({ ...Object.fromEntries(fields), at: madeAt, count: madeCount })
    .meta({ 'x-max-characters': maxRecordCharacters })
}

const madeAt = z
  .string()
  .max(100)
  .refine((text) => parseRecordTime(text, 0) !== undefined, {
    error: `it must be ${recordTimeForms}`,
  })
  .optional()
  .describe(
    "Creation time of the record. Set `at` instead of the record's time fields. RFC 3339, or " +
      'relative to `now`, such as `-2d` or `+1d12h`. Default: `now`.',
  )

/** Maximum number of records that a scenario can create with `count`. */
const maxMadeRecords = 1_000_000

const madeCount = z
  .int()
  .min(1)
  .max(maxMadeRecords)
  .optional()
  .describe(
    'Number of records to create from this one. Templates get other values in each record, and ' +
      'an `id` increases by one.',
  )

/** The name of a scenario. */
export const ScenarioName = z.lazy(() =>
  z
    .string()
    .max(200)
    .regex(/^[a-z\d]+(-[a-z\d]+)*$/, {
      error: 'it must be lower-case words separated by hyphens',
    }),
)

/** The fields of a scenario. `checkScenario` checks combinations of fields. */
const ScenarioFields = lazyStrictObject(() => ({
  name: ScenarioName.unwrap(),
  title: z.string().max(200).default(''),
  description: z.string().max(10_000).default(''),
  seed: z.int().default(1).describe('Random seed.'),
  now: z.iso
    .datetime({ offset: true, error: timeError, abort: true })
    .max(100)
    .refine((text) => parseSandboxTime(text) !== undefined, { error: timeError })
    .describe('The start time of the clock, RFC 3339.'),
  locale: z
    .enum(localeNames)
    .default('en')
    .describe('The language of faker for templates such as `{{person.fullName}}`.'),
  anchor: z
    .enum(['date', 'today'])
    .optional()
    .describe(
      'today: the clock starts on the latest day, up to today, with the same weekday as ' +
        'now, at the same time of day. All times of the scenario are shifted by the same ' +
        'amount. date: the clock starts at now. Default: date. On a server, a scenario ' +
        'without a timeline starts at the current time.',
    ),
  transcodingSeconds: z
    .int()
    .min(0)
    .default(30)
    .describe('Transcoding time of new media, in seconds.'),
  organisations: z.array(ScenarioOrganisation).min(1).max(100),
  personas: Personas.default({}).describe(
    'Your own personas by name. A persona defines the behaviour and the texts of a creator.',
  ),
  records: ScenarioRecords.default({}).describe(
    'Records that you write yourself, in addition to the generated records. They replace ' +
      'generated records with the same id.',
  ),
  watch: z
    .array(Watch)
    .max(20)
    .default([])
    .describe(
      'Values to show during the story. The console shows the first value in large type, and ' +
        'compares links on cards.',
    ),
  client: StoryClient.unwrap()
    .optional()
    .describe(
      'A client that the stage shows while no other client sends requests. It runs in a copy ' +
        'of the world.',
    ),
  timeline: z
    .array(Step)
    .max(maxFileSteps)
    .default([])
    .describe(
      'Steps, played as the clock advances. Steps that are out of order are sorted by ' +
        'time, with a warning.',
    ),
}))

/** The parts of a scenario whose templates can result in values that are not allowed. */
export const FilledParts = z.lazy(() =>
  ScenarioFields.unwrap().pick({ organisations: true, timeline: true }),
)

/** A scenario: the initial data of a sandbox and its story. */
export const Scenario = ScenarioFields.superRefine(checkScenario, { when: hasNoFinding })
/** A scenario with all defaults filled in. */
export type Scenario = z.infer<typeof Scenario>
/** A scenario as written, without defaults. */
export type ScenarioInput = z.input<typeof Scenario>

/** True if each part is valid. Otherwise, combinations of fields are not validated. */
function hasNoFinding({ issues }: z.core.ParsePayload): boolean {
  return issues.length === 0
}

function checkScenario(
  { organisations, records, timeline, now, seed }: z.infer<typeof ScenarioFields>,
  context: z.RefinementCtx,
): void {
  const accounts = organisations.flatMap((organisation) =>
    organisation.accounts.map(({ id }) => id),
  )
  const addIssue = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const checkAccount = (id: number, path: (string | number)[]) => {
    if (accounts.includes(id)) return
    addIssue(path, `there is no such account. The accounts are ${accounts.slice(0, 10).join(', ')}`)
  }
  if (countRecords(records) > maxMadeRecords) {
    const made = Object.entries(records).find(([, rows = []]) => rows.some((row) => 'count' in row))
    if (made !== undefined) {
      addIssue(
        ['records', made[0]],
        `with all copies, there must be at most ${maxMadeRecords} records`,
      )
      return
    }
  }
  runToEnd(
    mapTexts({ organisations, records, timeline }, { map: (placed) => checkText(placed, context) }),
  )
  for (const [table, rows = []] of Object.entries(records)) {
    const places = new Map<unknown, number>()
    for (const [index, row] of rows.entries()) {
      const { id: recordId, accountId, count = 1 } = row
      const path = ['records', table, index]
      if (estimateJsonSize(row, maxRecordCharacters) > maxRecordCharacters)
        addIssue(path, `a record may have at most ${maxRecordCharacters} characters as JSON`)
      const first = recordId === undefined ? undefined : places.get(recordId)
      if (first !== undefined)
        addIssue([...path, 'id'], `the id is a duplicate of records.${table}.${first}`)
      places.set(recordId, first ?? index)
      if (count !== 1 && typeof recordId === 'string')
        addIssue([...path, 'id'], 'it must be an integer or omitted if there is a count')
      if (accountId !== undefined) checkAccount(accountId as number, [...path, 'accountId'])
    }
  }
  for (const [index, step] of timeline.entries())
    for (const [place, { account_id: id }] of step.do.entries())
      if (typeof id === 'number') checkAccount(id, ['timeline', index, 'do', place, 'account_id'])
  try {
    expandTimeline(timeline, { start: now, seed })
  } catch (error) {
    if (!(error instanceof TimelineError)) throw error
    addIssue([...error.path], error.problem)
  }
  const roles = organisations.flatMap((organisation) => Object.keys(organisation.roles))
  const twice = roles.find((role, index) => roles.indexOf(role) !== index)
  if (twice !== undefined)
    addIssue(
      ['organisations'],
      `the role ${twice} is a duplicate; roles of all organisations need different names, because ` +
        'they name the API keys',
    )
  const same = accounts.find((id, index) => accounts.indexOf(id) !== index)
  if (same !== undefined) addIssue(['organisations'], `the account id ${same} is a duplicate`)
}

/** Adds an issue if a text is not a valid template. */
function checkText({ text, path }: PlacedText, context: z.RefinementCtx): string {
  try {
    checkTemplate(text)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    context.addIssue({ code: 'custom', path: [...path], message: error.problem })
  }
  return text
}

/** Returns the number of fans that each size requires, with the name of the size. */
function listFansNeeded(data: AccountData): [string, number][] {
  return Object.entries<Size>(declared).flatMap(
    ([name, { fansNeeded: needed }]): [string, number][] =>
      needed === undefined ? [] : [[name, needed(data as never)]],
  )
}
