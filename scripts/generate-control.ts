import { z } from 'zod'
import { describeActions } from '../src/control/describe.ts'
import type { ActionDescription } from '../src/control/describe.ts'
import { controlPrefix } from '../src/control/plane.ts'
import { controlRoutes } from '../src/control/routes.ts'
import type { ControlRoute } from '../src/control/routes.ts'
import type { GeneratedFile } from './generate-media.ts'
import { fieldsOf } from './json-schema.ts'
import type { FieldLine, Shape } from './json-schema.ts'
import { toTable } from './markdown.ts'

const introduction = `# The control plane

What a person can do to a running sandbox, over HTTP beside the API, under \`${controlPrefix}/\`. The methods of \`sandbox.control\` are the same by other
names, and take and return the same values.

- It needs no API key and costs no credits. A body is JSON with \`Content-Type: application/json\`.
- What is wrong is 400, what does not exist 404, both \`{"error": "<sentence>"}\`: it names the field, the value and what is allowed.
- \`POST ${controlPrefix}/worlds\` makes an isolated world with the seeded data, moved on to the present time, and keys of its own: the key of a request selects its world, at the same base
  address. Every route here takes \`?world=ID\` and then works on that world.
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

/** Writes the page of the control plane: its routes and the actions. */
export function generateControl(): GeneratedFile[] {
  const routes = toTable(['Route', 'Query', 'Body'], controlRoutes.map(toRouteRow))
  const actions = toTable(['Action', 'Fields'], describeActions().map(toActionRow))
  return [{ path: 'docs/control.md', content: [introduction, '## Routes\n', routes, happenings, actions].join('\n') }]
}

function toRouteRow({ method, path, summary, query, body }: ControlRoute): string[] {
  return [
    `\`${method} ${controlPrefix}${path.replace(/:(\w+)/, '{$1}')}\`<br>${summary}`,
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
  return [...fieldsOf(shape).map(toLine), shape.description].filter((line) => line !== undefined).join('<br>')
}

function toLine({ name, isRequired, text }: FieldLine): string {
  return `${isRequired ? `**\`${name}\`**` : `\`${name}\``}: ${text}`
}
