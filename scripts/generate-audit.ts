import type { Rule } from '../src/audit/rule.ts'
import { rules } from '../src/audit/rules.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# The audit

A sandbox sees everything that a client does. The audit says what of it is wrong, from the journal: it costs a request nothing, and a correct client gets no findings.

\`\`\`ts
const { findings, cost, summary } = await sandbox.audit() // since the last sandbox.checkpoint()
expect(findings).toEqual([])
\`\`\`

| where | how |
| --- | --- |
| in a test | \`await sandbox.audit()\`; \`await expect(sandbox).toHaveNoFindings()\` with the [matchers](#matchers) |
| over HTTP | \`GET /_sandbox/audit\`, \`?format=text\` or \`markdown\`, \`?since=ID\`; \`POST /_sandbox/checkpoint\` |
| on the command line | \`creator-api-sandbox --audit --fail-on warning\` prints it at the end, and exits with 1 where a finding is a warning or worse |
| on a recording | \`creator-api-sandbox audit session.yaml --format markdown --fail-on error\`, of what \`creator-api-sandbox record --out session.yaml\` wrote |

A finding has its \`rule\`, \`severity\` (\`error\`: it fails or harms; \`warning\`: it costs or breaks some day; \`hint\`: it could be done better), \`message\`, \`count\`, the ids of the
\`requests\`, \`advice\`, and the \`source\` in the reference. \`summary.untried\` lists what the client never met on the routes that it used, \`summary.smallestRole\` the permissions that it
used. Requests from the console and the documents page are left out, and so are those of a story; \`sandbox.audit({ of: 'story' })\` and \`?of=story\` judge these instead. A recording holds what
the client read, and what was refused, for that: a read is made again as the story plays, a refusal stands in the journal as it was answered (\`asked_by: 'story'\`). The journal keeps the last 1,000 requests (\`journalSize\`); \`summary.dropped\` says how
many are missing.

**Intervals** are taken on the clock that the client lives by: sandbox time where it moved or follows fake timers, real time on a server, which knows it; a sandbox in a test knows it where
it was given \`realTime: Date.now\`. Where neither moved nobody knows how long the client waited, and it counts as not at all: only three and more further attempts make a finding. Requests
that were under way together are told from those that were sent after an answer.

## Cost

\`sandbox.cost()\` and \`GET /_sandbox/cost\` add up credits, requests, bytes and pages, in all and by route, the most requests of one organisation
within a minute and a day (\`peak.minute\`, \`peak.day\`), and the largest share of its limits that was (\`peak.minuteShare\`, 0 to 1, and \`peak.dayShare\`). It is the
same for the same requests, sorted and small: \`expect(sandbox.cost()).toMatchSnapshot()\` is a baseline. \`expectCost(sandbox, { max: 12 })\` fails with the routes that cost most.

## Verification

\`\`\`ts
sandbox.received({ route: 'POST /v1/:account_id/posts', body: { text: 'Hello' } }) // the requests, oldest first
await sandbox.waitForRequest({ method: 'POST', params: { post_id: 5 } }, { timeoutMs: 2000 })
const stop = sandbox.on('request', ({ method, path, status }) => console.log(method, path, status)) // or 'happening'
sandbox.assertSettled({ expected: [404] })
\`\`\`

A filter has \`route\`, \`method\`, \`path\`, \`params\`, \`query\`, \`body\`, \`status\`, \`key\` (the role) and \`account\`; of query and body there may be more than it says. What is not found shows
the three nearest requests and how they differ. \`assertSettled\` fails at a request without a route, a refusal that neither a fault nor \`expected\` explains, a fault that never fired, and
an upload that was not finished. All of them begin at the last \`sandbox.checkpoint()\`.

## Matchers

They are there, with their types, once this is imported or configured:

| runner | how |
|---|---|
| Vitest | \`import { test } from 'creator-api-sandbox/vitest'\`, or \`setupFiles: ['creator-api-sandbox/vitest']\` for all files |
| Jest | \`setupFilesAfterEnv: ['creator-api-sandbox/jest']\`; \`import 'creator-api-sandbox/jest'\` in a file of declarations for the types, with \`@types/jest\` |
| Playwright | \`import { expect, test } from 'creator-api-sandbox/playwright'\` |
| another | \`expect.extend(matchers)\`, of \`creator-api-sandbox/matchers\`, with \`SandboxMatchers\` for the types |

\`\`\`ts
expect(sandbox).toCostAtMost(12)
await expect(sandbox).toHaveNoFindings({ from: 'warning' })
expect(sandbox).toHaveReceived({ route: 'POST /v1/:account_id/posts' }, { times: 1 })
\`\`\`

Of a world or a server that is reached over HTTP (\`connect\`, the \`world\` of the Vitest kit) all of them are awaited.

## Rules
`

/** Writes the page of the audit: its rules, each with its mistake and its mending. */
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
  return `### \`${name}\`\n\n*${severity}.* ${mistake} ${advice} (${source})\n\n\`\`\`ts\n${code}\n\`\`\`\n`
}
