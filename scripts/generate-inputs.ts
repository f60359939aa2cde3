import { actions } from '../src/actions/all-actions.ts'
import { ClockChange, RequestFilter, ScenarioChoice } from '../src/control/inputs.ts'
import { DataQuery } from '../src/control/table-page.ts'
import { ReplayCommand } from '../src/control/replay-command.ts'
import { SeriesQuery } from '../src/control/series.ts'
import { FaultInput } from '../src/world/fault-input.ts'
import { errorCatalogue } from '../src/error-catalogue.ts'
import { Change, Overlay, RouteOverlay, wordLists } from '../src/overlay/format.ts'
import { SandboxOptions } from '../src/sandbox/options.ts'
import { SiteOptions } from '../src/hosts/server/routing-options.ts'
import { PlayOptions } from '../src/scenario/player.ts'
import {
  AccountData,
  Scenario,
  ScenarioAccount,
  ScenarioOrganisation,
  ScenarioRecords,
} from '../src/scenario/schema.ts'
import { Step } from '../src/scenario/expand-timeline.ts'
import { Persona } from '../src/seed/persona.ts'
import { routes } from '../src/resources/all-resources.ts'
import { derivedTables, tableNames } from '../src/resources/all-tables.ts'
import type { GeneratedFile } from './generated-file.ts'
import { readShippedScenarios } from './generate-scenarios.ts'
import { writeFields } from './type-writer.ts'
import type { Known } from './type-writer.ts'

/** The public input types, by name. */
const inputs = {
  FaultInput: {
    schema: FaultInput,
    text: 'A failure to inject: the requests that it hits, its effect on them, and how often it hits.',
  },
  ClockChange: {
    schema: ClockChange,
    text: 'A change of the clock: on by a duration, to a later instant, or into another mode.',
  },
  ScenarioChoice: {
    schema: ScenarioChoice,
    text: 'Which scenario to load: one by its name, or one written in YAML.',
  },
  ReplayCommand: { schema: ReplayCommand, text: 'A command for the story of the scenario.' },
  PlayOptions: { schema: PlayOptions, text: 'How to play a story.' },
  RequestFilter: { schema: RequestFilter, text: 'Selects requests of the journal.' },
  DataQuery: { schema: DataQuery, text: 'Selects records of a table.' },
  SeriesQuery: { schema: SeriesQuery, text: 'Selects figures, and the number of points.' },
  SiteOptions: { schema: SiteOptions, text: 'The options of a server: whom it answers.' },
  AccountData: {
    schema: AccountData.unwrap().partial(),
    text: 'How much data an account has; a size that is left out is 0.',
  },
  ScenarioAccount: { schema: ScenarioAccount, text: 'An account of an organisation.' },
  ScenarioOrganisation: {
    schema: ScenarioOrganisation,
    text: 'An organisation with its keys, tags and accounts.',
  },
  Persona: {
    schema: Persona,
    text: 'Who a creator is: what they post about and when, and how they speak.',
  },
  Step: { schema: Step, text: 'A step of a timeline: what happens at a time, once or repeatedly.' },
  ScenarioRecords: {
    schema: ScenarioRecords,
    text: 'The records of a scenario, by table. Fields may be omitted.',
  },
  Scenario: {
    schema: Scenario,
    text: 'A scenario: the data that a sandbox starts with, and what happens in it.',
  },
  OverlayChange: {
    schema: Change,
    text: 'What an overlay says of one place of a request or an answer.',
  },
  RouteOverlay: { schema: RouteOverlay, text: 'What an overlay says of one route.' },
  Overlay: {
    schema: Overlay,
    text: 'What a live service is like, where it differs from the sandbox.',
  },
} as const

const anyText = '(string & {})'
/** A time value in JSON. */
const moment = `'now' | 'today' | ${anyText} | number`

/** Fault fields that accept only known names. */
const faultFields = (type: string) => ({
  [`${type}.role`]: `Role | ${anyText}`,
  [`${type}.status`]: 'FaultStatus | (number & {})',
  [`${type}.sequence.status`]: 'FaultStatus | (number & {})',
})

/**
 * Types that list known names but also accept other strings, such as the name of a custom scenario
 * or a different spelling of a route.
 */
const known: Known = {
  names: new Map(Object.entries(inputs).map(([name, { schema }]) => [schema, name])),
  replaced: {
    ...faultFields('FaultInput'),
    ...faultFields('fault.add'),
    'FaultInput.route': 'RouteName',
    'fault.add.route': `RouteName | ${anyText}`,
    'RequestFilter.route': `RouteName | ${anyText}`,
    'ScenarioChoice.name': `ScenarioName | ${anyText}`,
    'ReplayCommand.to': `Chapter | ${anyText}`,
    'ReplayCommand.until': `Chapter | ${anyText}`,
    'PlayOptions.until': `Chapter | ${anyText}`,
    'ScenarioAccount.data': 'AccountData',
    'Step.do': 'ActionInput | readonly ActionInput[]',
    'SandboxOptions.data': 'AccountData',
    'SandboxOptions.keys':
      "'seeded' | 'random' | ({ readonly [Name in Role]?: string } & { readonly [role: string]: string | undefined })",
    'SandboxOptions.library': 'Library',
    'SandboxOptions.scenario':
      "ScenarioName | Library[number]['name'] | ScenarioPath | Scenario | ExtendedScenario",
    'SandboxOptions.log': "((message: string, level: 'error' | 'note') => void)",
    'SandboxOptions.realTime': '(() => number)',
    'SandboxOptions.overlay':
      'string | Overlay | readonly (string | Overlay)[] | { readonly routes: readonly { readonly id: string }[] }',
    'OverlayChange.enum': 'readonly (string | number | boolean | null | readonly unknown[])[]',
    'OverlayChange.value':
      'string | number | boolean | null | readonly unknown[] | { readonly field: string } | ' +
      `{ readonly word: ${wordLists.map((list) => JSON.stringify(list)).join(' | ')} }`,
    'RouteOverlay.answers': '{ readonly [status: string]: unknown }',
    'SandboxOptions.now': `${moment} | Date`,
    'ClockChange.set': moment,
    'ScenarioChoice.now': moment,
  },
}

/**
 * Generates the input types, with field descriptions from their schemas, and the types of known
 * names.
 */
export function generateInputs(): GeneratedFile[] {
  const scenarios = readShippedScenarios()
  const rolesOf = ({ organisations }: (typeof scenarios)[number]) =>
    organisations.flatMap((organisation) => Object.keys(organisation.roles))
  const roles = scenarios.flatMap(rolesOf)
  const chapters = scenarios.flatMap(({ timeline }) =>
    timeline.flatMap(({ chapter }) => chapter ?? []),
  )
  const stored = tableNames.filter((name) => !derivedTables.includes(name))
  const parts = [
    '// Generated by `npm run generate` from the schemas of what callers write. Do not edit.\n',
    toUnion(
      'The name of a shipped scenario.',
      'ScenarioName',
      scenarios.map(({ name }) => name),
    ),
    toUnion('A role of a shipped scenario. Each has one API key.', 'Role', roles),
    '/** The roles of each shipped scenario. */\nexport interface ScenarioRoles {',
    ...scenarios.map(
      (scenario) => `  ${JSON.stringify(scenario.name)}: ${toLiterals(rolesOf(scenario))}`,
    ),
    '}\n',
    toUnion('A chapter of a shipped story.', 'Chapter', chapters),
    toUnion(
      'A route of the API.',
      'RouteId',
      routes.map(({ id }) => id),
    ),
    '/** A route of the API. Path parameters are written `:account_id` or `{account_id}`. */',
    'export type RouteName = RouteId | WithBraces<RouteId>\n',
    'type WithBraces<Path extends string> = Path extends `${infer Start}/:${infer Rest}`',
    '  ? Rest extends `${infer Name}/${infer End}`',
    '    ? `${Start}/{${Name}}${WithBraces<`/${End}`>}`',
    '    : `${Start}/{${Rest}}`',
    '  : Path\n',
    toUnion(
      'A status that the API fails with.',
      'FaultStatus',
      Object.values<{ status: number }>(errorCatalogue).map(({ status }) => status),
    ),
    toUnion('A table whose records a scenario may bring.', 'StoredTable', stored),
    ...Object.entries(inputs).map(
      ([name, { schema, text }]) =>
        `/** ${text} */\nexport interface ${name} {\n${writeFields(schema, name, known)}}\n`,
    ),
    '/** A scenario that extends another one: the name of that scenario, and the fields to replace. */',
    'export interface ExtendedScenario extends Partial<Scenario> {\n  extends: string\n}\n',
    '/** The path of a scenario file. */',
    'export type ScenarioPath = `${string}.yaml` | `${string}.yml`\n',
    `/** The actions, by name. */\nexport interface Actions {\n${actions.map(toAction).join('')}}\n`,
    '/** The name of an action. */\nexport type ActionType = keyof Actions\n',
    '/** An action: its `type` and its fields. */\nexport type ActionInput = Actions[ActionType]\n',
    toOptions(),
  ]
  return [{ path: 'src/generated/inputs.ts', content: parts.join('\n') }]
}

function toLiterals(values: readonly string[]): string {
  return [...new Set(values)].map((value) => JSON.stringify(value)).join(' | ') || 'never'
}

function toUnion(text: string, name: string, values: readonly (string | number)[]): string {
  const lines = [...new Set(values)].map((value) => `\n  | ${JSON.stringify(value)}`)
  return `/** ${text} */\nexport type ${name} =${lines.join('')}\n`
}

function toAction({ type, summary, schema }: (typeof actions)[number]): string {
  return `  ${JSON.stringify(type)}: {\n    /** ${summary} */\n    type: ${JSON.stringify(type)}\n${writeFields(schema, type, known, '    ')}  }\n`
}

/** Generates the options type. The library determines which scenario names are allowed. */
function toOptions(): string {
  return `/**
   * Options of a sandbox. \`Library\` is the type of the option \`library\`, whose scenario names
   * are allowed in addition to the shipped ones. With \`readonly Scenario[]\`, any name is allowed.
   */
export interface SandboxOptions<Library extends readonly Scenario[] = readonly []> {
${writeFields(SandboxOptions, 'SandboxOptions', known)}}
`
}
