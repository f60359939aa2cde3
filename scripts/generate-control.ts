import { z } from 'zod'
import { describeActions } from '../src/control/describe.ts'
import type { ActionDescription } from '../src/control/describe.ts'
import { controlPrefix } from '../src/control/plane.ts'
import { controlRoutes } from '../src/control/routes.ts'
import type { ControlRoute } from '../src/control/routes.ts'
import { addControlAnswers } from '../src/openapi/control-answers.ts'
import { createControlOpenApi } from '../src/openapi/control.ts'
import type { Response as Answer } from '../src/openapi/document.ts'
import { createSandbox } from '../src/sandbox/create-sandbox.ts'
import type { GeneratedFile } from './generate-media.ts'
import { fieldsOf } from './json-schema.ts'
import type { FieldLine, Shape } from './json-schema.ts'
import { toTable } from './markdown.ts'

/** How much of an answer is shown. */
const maxFields = 12
const maxCharacters = 100

const introduction = `# The control plane

What a person can do to a running sandbox, over HTTP beside the API, under \`${controlPrefix}/\`. The methods of \`sandbox.control\` are the same by other
names, and take and return the same values.

- It needs no API key and costs no credits. A body is JSON with \`Content-Type: application/json\`.
- What is wrong is 400, what does not exist 404, both \`{"error": "<sentence>"}\`: it names the field, the value and what is allowed.
- \`<key>~<name>\` is the same API key in an isolated world of that name (1 to 40 of a-z, 0-9, \`-\`), at the same base address. Its first request makes it, in the seeded state moved
  on to the present time, whatever others did meanwhile; no call sets it up. Every route here takes \`?world=NAME\` and then works on that world. If it is not there, a \`GET\` is 404, and every other method makes it;
  \`POST ${controlPrefix}/worlds {"name": "worker-3"}\` makes it and tells its accounts and its keys by role. A wrong name is 401 to the API, 400 here.
- There are at most 256 worlds (\`--max-worlds\`). One more drops one that was unused for five minutes of real time: first those that nothing wrote to, then the one that was unused for longest. The log says so, \`worlds.dropped\` of
  \`GET ${controlPrefix}/state\` counts it, and the first request in the journal of whoever takes that name again has a \`note\`. Else it is 503 with a sentence.
- While a world is busy with long work (a seek, a load, a restore, months of the clock), requests to it wait in order, at most 1,000; the next gets 503.
  \`GET ${controlPrefix}/state\` does not wait, and says what the world is \`busy\` with.
- \`${controlPrefix}/openapi.json\` is all of this as an OpenAPI document, with an answer to each route; it needs no token.
- \`${controlPrefix}/events\` stays open and sends \`clock\`, \`actions\` and \`requests\`, each with JSON: what \`pulse\`, \`happenings\` and \`requests?brief=true\` answer, as it changes.
- It answers to the names of the server, and pages of loopback origins and of its own ([security.md](security.md)); others get 403. With \`--control-token TOKEN\` it wants
  \`Authorization: Bearer TOKEN\`, else it is 401.
- Fields in **bold** have to be given.
`

const happenings = `## Actions

What happens in the world. \`POST ${controlPrefix}/actions {"type": "tip", "account_id": 310240117}\`, \`sandbox.act({ type: 'tip', account_id })\`, and \`do:\` of a
timeline's step take the same. Several in an array are done in order, all of them or none. The answer says what each did: its
\`type\`, the \`ids\` of what it made or changed (\`{account, fan, transaction}\`), and what \`happened\` in a line; of an array, in an array.
What is left out (who, which post, how much, what they say) is drawn from the seed.
`

const answersIntroduction = `## Answers

What each route answers, from the story \`launch-day\`; \`sandbox.control\` and \`connect\` of \`creator-api-sandbox/client\` return the same. Here lists are cut to two entries, records to
${maxFields} fields and texts to ${maxCharacters} characters.
`

/** Writes the page of the control plane: its routes, what they answer, and the actions. */
export async function generateControl(): Promise<GeneratedFile[]> {
  const routes = toTable(['Route', 'Query', 'Body'], controlRoutes.map(toRouteRow))
  const actions = toTable(['Action', 'Fields'], describeActions().map(toActionRow))
  return [
    {
      path: 'docs/control.md',
      content: [
        introduction,
        '## Routes\n',
        routes,
        answersIntroduction,
        ...(await readAnswers()),
        happenings,
        actions,
      ].join('\n'),
    },
  ]
}

/** What each route answers, as Markdown. */
async function readAnswers(): Promise<string[]> {
  const { control, fetch, baseUrl, keys, ready } = createSandbox({ scenario: 'launch-day' })
  await ready
  const ask = (url: string) =>
    fetch(`${baseUrl}${url}`, { headers: { authorization: `Bearer ${keys['owner']}` } })
  const { paths } = await addControlAnswers(createControlOpenApi({ baseUrl }), { control, ask })
  const shown = new Map<string, string>()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => {
      const name = `\`${method.toUpperCase()} ${path}\``
      const [[type, { example }] = ['', {}]] = Object.entries(
        (responses['200'] as Answer).content ?? {},
      )
      const fields = Object.keys(example ?? {}).join()
      const same = Array.isArray(example) ? undefined : shown.get(fields)
      shown.set(fields, same ?? name)
      if (same !== undefined) return `${name}: the same fields as ${same}.\n`
      const text = type.startsWith('text/')
        ? cut(String(example), 300)
        : toLines(shortenFields(example))
      return `${name}\n\n\`\`\`json\n${text}\n\`\`\`\n`
    }),
  )
}

/** Cuts long texts and records with many fields. */
function shortenFields(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, maxCharacters)
  if (Array.isArray(value)) return value.map(shortenFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, shortenFields(field)])
  const more = fields.length - maxFields
  return Object.fromEntries(
    more > 1 ? [...fields.slice(0, maxFields), ['…', `${more} more`]] : fields,
  )
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Writes JSON with what fits into a line on one line. */
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

function toRouteRow({ method, path, summary, query, body }: ControlRoute): string[] {
  return [
    `\`${method} ${controlPrefix}${path.replace(/:(\w+)/g, '{$1}')}\`<br>${summary}`,
    describe(query).replaceAll(': string. ', ': '),
    body === null ? '' : describe(body),
  ]
}

function toActionRow({ type, summary, schema }: ActionDescription): string[] {
  return [
    `\`${type}\`<br>${summary}`,
    fieldsOf(schema as Shape)
      .map(toLine)
      .join('<br>'),
  ]
}

function describe(schema: z.ZodType): string {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  return [...fieldsOf(shape).map(toLine), shape.description]
    .filter((line) => line !== undefined)
    .join('<br>')
}

function toLine({ name, isRequired, text }: FieldLine): string {
  return `${isRequired ? `**\`${name}\`**` : `\`${name}\``}: ${text}`
}
