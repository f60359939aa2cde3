import type { Rule } from '../src/audit/rule.ts'
import { rules } from '../src/audit/rules.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Audit

The audit lists what a client does wrong, although its requests succeed: retries without a pause, ignored parameters, kept links, damaged ids. It reads the journal, so it costs no request. A correct client has no findings.

\`\`\`ts fragment
const { findings, cost, summary } = await sandbox.audit() // since the last sandbox.checkpoint()
expect(findings).toEqual([])
\`\`\`

| where | how |
| --- | --- |
| in a test | \`await sandbox.audit()\`, or \`await expect(sandbox).toHaveNoFindings()\` with the [matchers](#matchers) |
| over HTTP | \`GET /_sandbox/audit\`, with \`?format=text\` or \`markdown\`, \`?since=ID\`. \`POST /_sandbox/checkpoint\` |
| while a server runs | it prints the first error or warning of each rule on each route to stderr, at most 20, with its request and the address in the console. \`--no-warnings\` and \`--quiet\` turn this off |
| while a test runs | \`createSandbox({ warn: true })\` writes the same lines with \`console.warn\` |
| on a server | \`npx creator-api-sandbox --audit --fail-on warning\` prints it at the end, and exits with 1 if a finding is a warning or an error |
| on a recording | \`npx creator-api-sandbox audit session.yaml --fail-on error\` ([record a session](how-to.md#record-a-session)) |

| part of the result | |
| --- | --- |
| \`findings\` | each with \`rule\`, \`severity\`, \`message\`, \`count\`, the ids of the \`requests\`, \`advice\`, and the \`source\` in the reference |
| \`severity\` | \`error\`: it fails or does harm. \`warning\`: it costs, or will break. \`hint\`: there is a better way |
| \`summary.untried\` | what the client never met on the routes that it used, such as \`424\` or \`an expired link\` |
| \`summary.smallestRole\` | the permissions that it used |
| \`summary.dropped\` | requests that the journal no longer has. It keeps 1,000 (\`journalSize\`) |

Requests of the console, of \`/docs\` and of a story are left out. \`sandbox.audit({ of: 'story' })\` and \`?of=story\` audit the requests of a story.

**Pauses between requests** are measured on the clock that the client uses: sandbox time if that moved or follows fake timers, otherwise real time. A server knows real time. A sandbox in a test knows it with \`realTime: Date.now\`. Without either, pauses count as none, and a finding needs at least three more attempts. Requests sent at the same time are told apart from requests sent after an answer.

## Cost

\`sandbox.cost()\` and \`GET /_sandbox/cost\` add up credits, requests, bytes and pages, total and by route. \`peak.minute\` and \`peak.day\` are the most requests of one organisation in a minute and a day. \`peak.minuteShare\` and \`peak.dayShare\` (0 to 1) are the shares of its limits.

The result is the same for the same requests: \`expect(sandbox.cost()).toMatchSnapshot()\` is a baseline. \`expectCost(sandbox, { max: 12 })\` fails, and lists the routes that cost most.

## Verify requests

\`\`\`ts fragment
sandbox.received({ route: 'POST /v1/:account_id/posts', body: { text: 'Hello' } }) // oldest first
await sandbox.waitForRequest({ method: 'POST', params: { post_id: 5 } }, { timeoutMs: 2000 })
const stop = sandbox.on('request', ({ method, path, status }) => console.log(method, path, status))
sandbox.assertSettled({ expected: [404] })
\`\`\`

- A filter has \`route\`, \`method\`, \`path\`, \`params\`, \`query\`, \`body\`, \`status\`, \`key\` (the role) and \`account\`. Query and body of a request may have more fields. If no request matches, the error shows the three nearest ones.
- \`assertSettled\` fails on a request without a route, a 4xx that neither a fault nor \`expected\` explains, a fault that was never hit, and an unfinished upload.
- \`on('happening', …)\` reports actions.
- All of them start at the last \`sandbox.checkpoint()\`.

## Matchers

\`\`\`ts fragment
expect(sandbox).toCostAtMost(12)
await expect(sandbox).toHaveNoFindings({ from: 'warning' })
expect(sandbox).toHaveReceived({ route: 'POST /v1/:account_id/posts' }, { times: 1 })
\`\`\`

| runner | how to add them, with their types |
|---|---|
| Vitest | \`import { test } from 'creator-api-sandbox/vitest'\`, or \`setupFiles: ['creator-api-sandbox/vitest']\` for all files |
| Jest | \`setupFilesAfterEnv: ['creator-api-sandbox/jest']\`. For the types: \`import 'creator-api-sandbox/jest'\` in a declaration file, with \`@types/jest\` |
| Playwright | \`import { expect, test } from 'creator-api-sandbox/playwright'\` |
| another | \`expect.extend(matchers)\` of \`creator-api-sandbox/matchers\`, with \`SandboxMatchers\` for the types |

Await all of them on a world or a server that you reach over HTTP (\`connect\`, the \`world\` of a kit).

## Rules
`

/** Writes the page of the audit, with each rule, its mistake and its fix. */
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
