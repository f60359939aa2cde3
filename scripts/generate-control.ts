import { z } from 'zod'
import { describeActions } from '../src/control/apply-actions.ts'
import { controlPrefix } from '../src/control/control-plane.ts'
import { controlRoutes } from '../src/control/routes/all-routes.ts'
import type { ControlRoute } from '../src/control/routes/route.ts'
import { addControlResponseExamples } from '../src/openapi/control-response-examples.ts'
import { createControlOpenApi } from '../src/openapi/control.ts'
import type { Response as Answer } from '../src/openapi/document.ts'
import { createSandbox } from '../src/sandbox/create-sandbox.ts'
import { ServedSandbox } from '../src/sandbox/served-sandbox.ts'
import type { GeneratedFile } from './generated-file.ts'
import { formatFieldLine, formatFieldName, listFields } from './json-schema.ts'
import type { FieldLine, Shape } from './json-schema.ts'
import { formatMarkdownTable, updatePage } from './markdown.ts'

/** Maximum number of fields, and of characters per string, in an example response. */
const maxFields = 13
const maxCharacters = 100

/** Generates the sections of the control routes, and the tables of the actions. */
export async function generateControl(): Promise<GeneratedFile[]> {
  const answers = await readExampleResponses()
  const sections = controlRoutes.map((route) => {
    const name = getName(route)
    return `### \`${name}\`\n\n${describeRoute(route)}\n${answers.get(name) ?? ''}`
  })
  return [
    updatePage('docs/control.md', { '## Routes': sections.join('\n') }),
    updatePage('docs/actions.md', formatActionTables()),
  ]
}

/** Returns the example response of each route as Markdown, by method and path. */
async function readExampleResponses(): Promise<Map<string, string>> {
  const sandbox = createSandbox({ scenario: 'launch-day' })
  const { fetch, baseUrl, keys } = sandbox
  await sandbox.ready
  const world = new ServedSandbox(sandbox)
  const ask = (url: string) =>
    fetch(`${baseUrl}${url}`, { headers: { authorization: `Bearer ${keys['owner']}` } })
  const { paths } = await addControlResponseExamples(createControlOpenApi({ baseUrl }), {
    world,
    sendRequest: ask,
  })
  const shown = new Map<string, string>()
  const answers = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => {
      const name = `${method.toUpperCase()} ${path}`
      const [[type, { example }] = ['', {}]] = Object.entries(
        (responses['200'] as Answer).content ?? {},
      )
      const fields = Object.keys(example ?? {}).join()
      const same = Array.isArray(example) ? undefined : shown.get(fields)
      shown.set(fields, same ?? name)
      return [
        name,
        same === undefined ? toBlock(type, example) : `Response: the same as for \`${same}\`.\n`,
      ] as const
    }),
  )
  return new Map(answers)
}

function toBlock(type: string, example: unknown): string {
  return type.startsWith('text/')
    ? `\`\`\`text\n${truncate(String(example), 300).trimEnd()}\n\`\`\`\n`
    : `\`\`\`json\n${toLines(shortenFields(example))}\n\`\`\`\n`
}

/** Shortens long strings and removes some fields from large records. */
function shortenFields(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, maxCharacters)
  if (Array.isArray(value)) return value.map(shortenFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, shortenFields(field)])
  const more = fields.length - maxFields
  return Object.fromEntries(
    more > 1 ? [...fields.slice(0, maxFields), ['…', `${more} more`]] : fields,
  )
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

/** Formats JSON. Writes a value on one line if it fits. */
function toLines(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 120) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Object.entries(value).map(
    ([name, field]) =>
      `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${toLines(field, inner)}`,
  )
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function getName({ method, path }: ControlRoute): string {
  return `${method} ${controlPrefix}${path.replace(/:(\w+)/g, '{$1}')}`
}

/** Returns a route's summary and a table of its fields. */
function describeRoute({ summary, query, body }: ControlRoute): string {
  const parts = [`${summary}.\n`]
  const sent = body === null ? [] : [['body', body] as const]
  for (const [place, schema] of [['query', query] as const, ...sent]) {
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
    const fields = listFields(shape)
    if (fields.length > 0)
      parts.push(
        formatMarkdownTable(
          [place, ''],
          fields.map((field) => [formatFieldName(field), field.text]),
        ),
      )
    if (shape.description !== undefined) parts.push(`${capitalize(place)}: ${shape.description}\n`)
  }
  return parts.join('\n')
}

/** A field that more actions than this accept is listed once, as a common field. */
const maxRepeated = 2

/** Returns a table of the common fields and a table of all actions, by heading. */
function formatActionTables(): Record<string, string> {
  const described = describeActions().map(({ type, summary, schema }) => ({
    type,
    summary,
    fields: listFields(schema as Shape),
  }))
  const timesOf = new Map<string, number>()
  for (const { fields } of described)
    for (const { name, text } of fields)
      timesOf.set(`${name}: ${text}`, (timesOf.get(`${name}: ${text}`) ?? 0) + 1)
  const common = [...timesOf].filter(([, times]) => times > maxRepeated).map(([line]) => line)
  const isCommon = ({ name, text }: FieldLine) => common.includes(`${name}: ${text}`)
  const fault = new Set(listFaultFields().map(({ name, text }) => `${name}: ${text}`))
  const isFault = (fields: FieldLine[]) =>
    fields.every(({ name, text }) => fault.has(`${name}: ${text}`))
  const rows = described.map(({ type, summary, fields }) => [
    `\`${type}\``,
    `${summary}.`,
    fields.length > 0 && isFault(fields)
      ? 'The fields of [POST /_sandbox/faults](control.md#post-_sandboxfaults).'
      : fields
          .map((field) => (isCommon(field) ? formatFieldName(field) : formatFieldLine(field)))
          .join('<br>'),
  ])
  return {
    '## Common fields': formatMarkdownTable(
      ['Field', ''],
      common.map((line) => [`\`${line.split(': ', 1)[0]}\``, line.slice(line.indexOf(': ') + 2)]),
    ),
    '## All actions': formatMarkdownTable(['Action', 'Does', 'Fields'], rows),
  }
}

function listFaultFields(): FieldLine[] {
  const route = controlRoutes.find((each) => getName(each) === `POST ${controlPrefix}/faults`)
  return listFields(
    z.toJSONSchema(route?.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as Shape,
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
