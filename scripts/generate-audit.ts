import type { Rule } from '../src/audit/rule.ts'
import { rules } from '../src/audit/rules.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Audit

The audit finds mistakes that tests miss because the requests succeed. Examples are retries without a pause, ignored parameters, reused expired links and damaged ids. The audit reads the journal and sends no requests. A correct client has no findings.

\`\`\`ts fragment
const { findings, cost, summary } = await sandbox.audit() // since the last sandbox.checkpoint()
expect(findings).toEqual([])
\`\`\`

| where | how |
| --- | --- |
| in a test | \`await sandbox.audit()\`, or \`await expect(sandbox).toHaveNoFindings()\` with the [matchers](#matchers) |
| over HTTP | \`GET /_sandbox/audit\`, with \`?format=text\`, \`?format=markdown\` or \`?since=ID\`. To start later: \`POST /_sandbox/checkpoint\` |
| while a server runs | it prints the first error or warning for each rule and route to stderr (at most 20), with the request and its URL in the console. Every second, it checks the last 200 requests of up to 8 worlds, for at most 50 ms, and says once if it left out requests. \`--no-warnings\` and \`--quiet\` turn this off |
| while a test runs | \`createSandbox({ warn: true })\` prints the same lines with \`console.warn\` |
| on a server | \`npx creator-api-sandbox --audit --fail-on warning\` prints the audit when the server stops, and exits with 1 if a finding is a warning or an error |
| on a recording | \`npx creator-api-sandbox audit session.yaml --fail-on error\` ([record a session](how-to.md#record-a-session)) |

| part of the result | content |
| --- | --- |
| \`findings\` | each with \`rule\`, \`severity\`, \`message\`, \`count\`, the ids of the \`requests\`, \`advice\`, and the \`source\` in the reference |
| \`severity\` | \`error\`: the client fails or does damage. \`warning\`: it wastes credits, or will fail later. \`hint\`: there is a better way |
| \`summary.untried\` | situations that the client has not been tested with on its routes, such as \`424\` or \`an expired link\` |
| \`summary.smallestRole\` | the permissions that the client needs |
| \`summary.credits\` | the credits \`charged\`, those \`visible\` to clients in \`_meta\`, and the ids of the requests that explain the difference: \`errors\`, which have no \`_meta\`, and \`lost\` responses |
| \`summary.unread\` | number of requests that were not checked completely, because a body has more than 262,144 characters, or the bodies together have more than 16,777,216. The bodies of the latest requests are read first |
| \`summary.dropped\` | number of requests that are no longer in the journal. The journal has at most 1,000 requests (\`journalSize\`) |

The audit ignores requests from the console, from \`/docs\` and from a story. To audit the requests of a story, use \`sandbox.audit({ of: 'story' })\` or \`?of=story\`.

**Pauses between requests** are measured in sandbox time if the clock of the sandbox was advanced or follows fake timers. Otherwise, pauses are measured in real time, which is always available on a server. For a sandbox in a test, set \`realTime: Date.now\`. If neither time is available, the audit cannot measure pauses, and reports a finding only after at least three more attempts. The audit distinguishes parallel requests from requests that were sent after a response arrived.

## Cost

\`sandbox.cost()\` and \`GET /_sandbox/cost\` return the number of credits, requests, bytes and pages, in total and by route. \`peak.minute\` and \`peak.day\` are the highest numbers of requests of an organisation in a minute and in a day. \`peak.minuteShare\` and \`peak.dayShare\` (0 to 1) compare them with its limits.

The same requests always have the same cost, so you can use \`expect(sandbox.cost()).toMatchSnapshot()\`. \`expectCost(sandbox, { max: 12 })\` fails above 12 credits and lists the most expensive routes.

## Verify requests

\`\`\`ts fragment
sandbox.received({ route: 'POST /v1/:account_id/posts', body: { text: 'Hello' } }) // oldest first
await sandbox.waitForRequest({ method: 'POST', params: { post_id: 5 } }, { timeoutMs: 2000 })
const stop = sandbox.on('request', ({ method, path, status }) => console.log(method, path, status))
sandbox.assertSettled({ expected: [404] })
\`\`\`

- A filter has \`route\`, \`method\`, \`path\`, \`params\`, \`query\`, \`body\`, \`status\`, \`key\` (the role) and \`account\`. The query and body of a matching request may contain more fields. If no request matches, the error shows the three most similar requests.
- \`assertSettled\` fails if there was a request to an unknown route, or a 4xx that neither a fault nor \`expected\` explains. \`assertSettled\` also fails if a fault never hit a request, or an upload is unfinished.
- \`on('happening', …)\` calls your listener for each action.
- All of these functions consider only requests since the last \`sandbox.checkpoint()\`.
- Over HTTP (through \`connect\` or the \`remoteWorld\` of Vitest), await each of them, also \`on\`.

## Matchers

\`\`\`ts fragment
expect(sandbox).toCostAtMost(12)
await expect(sandbox).toHaveNoFindings({ from: 'warning' })
expect(sandbox).toHaveReceived({ route: 'POST /v1/:account_id/posts' }, { times: 1 })
expect(sandbox).not.toHaveChanged() // the client changed nothing
await expect(sandbox).toSurvive(() => readAllPosts(), { seeds: 5 }) // docs/variation.md
\`\`\`

| runner | how to add the matchers and their types |
|---|---|
| Vitest | \`import { test } from 'creator-api-sandbox/vitest'\`, or \`setupFiles: ['creator-api-sandbox/vitest']\` for all files |
| Jest | \`setupFilesAfterEnv: ['creator-api-sandbox/jest']\`. For the types: \`import 'creator-api-sandbox/jest'\` in a declaration file, with \`@types/jest\` |
| Playwright | \`import { expect, test } from 'creator-api-sandbox/playwright'\` |
| another | \`expect.extend(matchers)\`, with \`matchers\` and the type \`SandboxMatchers\` from \`creator-api-sandbox/matchers\` |

If you check a server over HTTP (through \`connect\` or the \`remoteWorld\` of Vitest), await every matcher. \`toSurvive\` needs a sandbox in the process.

## Rules
`

/** Generates the audit page, with a mistake and its fix for each rule. */
export function generateAudit(): GeneratedFile[] {
  return [{ path: 'docs/audit.md', content: [introduction, ...rules.map(describe)].join('\n') }]
}

function describe({
  name,
  severity,
  mistake,
  advice,
  source,
  example: { wrong, right },
}: Rule): string {
  const code = [`// wrong`, wrong, '// right', right].join('\n')
  return `### \`${name}\`\n\n*${severity}.* ${mistake} ${advice} (${source})\n\n\`\`\`js fragment\n${code}\n\`\`\`\n`
}
