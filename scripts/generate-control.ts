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
import type { GeneratedFile } from './generate-media.ts'
import { formatFieldLine, formatFieldName, listFields } from './json-schema.ts'
import type { FieldLine, Shape } from './json-schema.ts'
import { formatMarkdownTable } from './markdown.ts'

/** Maximum number of fields, and of characters per string, in an example response. */
const maxFields = 13
const maxCharacters = 100

const introduction = `# Control plane

With the control plane you inspect and change a running sandbox over HTTP. Its routes are under \`${controlPrefix}/\`. In a test, \`sandbox.control\` has a method for each route. The most common methods have short names:

| in a test | over HTTP | does |
|---|---|---|
| \`sandbox.clock.advance('2h')\` | \`POST ${controlPrefix}/clock {"advance": "2h"}\` | advances the clock ([time](time.md)) |
| \`sandbox.faults.add({ status: 502, times: 2 })\` | \`POST ${controlPrefix}/faults\` | makes requests fail, delays them or drops their connections |
| \`sandbox.act({ type: 'tip' })\` | \`POST ${controlPrefix}/actions\` | performs an [action](actions.md) |
| \`sandbox.requests\` | \`GET ${controlPrefix}/requests\` | returns the journal of requests, newest first |
| \`sandbox.db.posts.get(id)\` | \`GET ${controlPrefix}/data/posts?id=…\` | reads records |
| \`sandbox.make.post({ text, at: '-2d' })\` | \`POST ${controlPrefix}/data/posts\` | [creates a record](making-records.md) |
| \`sandbox.reset()\` | \`POST ${controlPrefix}/reset\` | restores the seeded state |
| \`sandbox.fork()\` | | creates another sandbox with the same data and keys |
| \`sandbox.createWorld({ name })\` | the key \`<key>~<name>\`, \`?world=NAME\` | creates an isolated world under the same base URL |
| \`sandbox.snapshot()\`, \`await sandbox.restore(saved)\` | \`GET\`, \`PUT ${controlPrefix}/snapshot\` | saves the whole world as JSON, and restores it. With \`{ form: 'changes' }\` or \`?form=changes\`: only the changes since the load |
| \`sandbox.control.keepSnapshot({ name })\` | \`POST ${controlPrefix}/snapshots\` | stores the changes as a named snapshot, at most 20 per world; \`POST …/snapshots/NAME\` restores it |
| \`sandbox.checkpoint()\`, \`sandbox.changes()\` | \`POST ${controlPrefix}/checkpoint\`, \`GET ${controlPrefix}/changes\` | lists the records that were added, changed and removed since the checkpoint, with the request or action that changed each of them |
| \`await sandbox.audit()\`, \`sandbox.cost()\` | \`GET ${controlPrefix}/audit\`, \`/cost\` | lists the mistakes of clients, and the cost of their requests ([audit](audit.md)) |
| \`await sandbox.play({ until })\`, \`sandbox.seek(place)\` | \`POST ${controlPrefix}/replay\` | plays a [story](stories.md#write-a-story) |
| \`sandbox.close()\`, \`using sandbox = createSandbox()\` | | stops stories and releases the data |

To call the methods of \`sandbox.control\` over HTTP, use \`connect(url)\` from \`creator-api-sandbox/client\` ([what you hold in a test](runners.md#what-you-hold-in-a-test)).

## Rules

- Requests need no API key and cost no credits. Send bodies as JSON with \`Content-Type: application/json\`.
- With \`--control-token TOKEN\`, send \`Authorization: Bearer TOKEN\`. Requests without this header get 401. Foreign hosts and origins get 403 ([security](security.md)).
- Errors have the form \`{"error": "<message>"}\`: 400 for an invalid value, 404 for an unknown id. The message contains the field, the value and the allowed values.
- With \`?world=NAME\`, every route works on that isolated world. If the world does not exist, a \`GET\` gets 404, and every other method creates it with the seeded data at the current time. A request with an invalid name gets 400.
- There are at most 256 worlds (\`--max-worlds\`). When the maximum is reached, a new world replaces a world that has not been used for five minutes of real time. Worlds without writes are replaced first, then the least recently used world. If all worlds were used within the last five minutes, the response is 503. With \`--state\`, the replaced world is saved first. Without \`--state\`, its changes are lost. The loss is shown in the log, in \`worlds.dropped\` of \`GET ${controlPrefix}/state\`, and in a \`note\` in the journal of the next world with that name.
- During a long operation (seeking, loading, restoring, advancing by months), up to 1,000 requests to that world wait in order. Any further request gets 503. \`GET ${controlPrefix}/state\` does not wait, and its field \`busy\` names the operation.
- \`${controlPrefix}/openapi.json\` is the OpenAPI document of the control plane. It needs no token.

## Routes

Each route is listed with its fields and an example response from the story \`launch-day\`. **Bold** fields are required. Examples show at most two entries of a list, ${maxFields} fields of a record, and ${maxCharacters} characters of a string.
`

const actionsIntroduction = `# Actions

An action simulates an event, such as a tip, a lapsed session or a completed payment. There are three ways to perform an action:

\`\`\`ts fragment
sandbox.act({ type: 'subscriber.new', account_id, name: 'Ida Holm' }) // with its payment and notification
sandbox.act({ type: 'post.view', account_id, count: 50_000 }) // a post goes viral
\`\`\`

\`\`\`sh
curl --fail --silent http://127.0.0.1:4010/_sandbox/actions \\
  --header 'Content-Type: application/json' --data '{"type": "tip", "account_id": 310240117}'
\`\`\`

\`\`\`yaml fragment
timeline:
  - { at: 10s, do: { type: tip, account_id: 310240117 } }
\`\`\`

- You can omit most fields. For a missing field, the sandbox chooses a value, such as a fan, a post, an amount or some text. The value depends on the seed. Only \`account_id\` has no default if there is more than one account, as in \`agency\`.
- The actions in an array are performed in order. If one action fails, none of the actions in the array takes effect.
- The response contains the \`type\`, the \`ids\` of the new or changed records, and a one-line description in \`happened\`. For an array of actions, the response is an array.
- **Bold** fields are required.
`

/** Generates the pages about the control plane and the actions. */
export async function generateControl(): Promise<GeneratedFile[]> {
  const answers = await readExampleResponses()
  const sections = controlRoutes.map((route) => {
    const name = getName(route)
    return `### \`${name}\`\n\n${describeRoute(route)}\n${answers.get(name) ?? ''}`
  })
  return [
    { path: 'docs/control.md', content: [introduction, ...sections].join('\n') },
    { path: 'docs/actions.md', content: [actionsIntroduction, ...describeAllActions()].join('\n') },
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

/** Returns a table of the common fields and a table of all actions. */
function describeAllActions(): string[] {
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
  return [
    '## Common fields\n',
    formatMarkdownTable(
      ['Field', ''],
      common.map((line) => [`\`${line.split(': ', 1)[0]}\``, line.slice(line.indexOf(': ') + 2)]),
    ),
    '## All actions\n',
    formatMarkdownTable(['Action', 'Does', 'Fields'], rows),
  ]
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
