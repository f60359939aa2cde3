import { trials } from '../src/variation/trials.ts'
import type { Trial } from '../src/variation/trials.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Variation

The API contract leaves some details open: fields may be missing, pages may be short, and links may expire. If a client relies on such details, it may break later. Variation changes these details, but only within the contract. Variation is off by default. The same seed always produces the same responses.

| where | how |
| --- | --- |
| in a test | \`createSandbox({ variation: { seed: 7, only: ['large-ids'] } })\`. Without \`only\`: all variations |
| while it runs | \`sandbox.act({ type: 'variation.set', seed: 7, only: ['short-pages'] })\`, also over HTTP and in a story. To stop, set \`seed: null\`, or reset |
| on a server | \`--variation 7\`, or \`--variation 7:large-ids,time-forms\` |

A response depends only on the seed, the method and the URL, so repeating a request gives the same response. Only \`empty-page\` and \`expiring-links\` remember earlier requests, until the next \`variation.set\`. Variation does not affect requests that a story sends.

## What your client survives

The service may also have a bad day: it fails, throttles clients, or loses responses. \`survive\` runs a function with each [variation](#variations) and each [bad day](#bad-days), and prints the failures:

\`\`\`ts fragment
const { survived, results } = await sandbox.survive(async () => {
  const posts = await readAllPosts() // your client, with the handlers or the server of this sandbox
  if (posts.length !== 16) throw new Error(\`\${posts.length} of 16 posts\`)
})
\`\`\`

In a test with the [matchers](audit.md#matchers), one line does the same: \`await expect(sandbox).toSurvive(() => readAllPosts())\`. For a client in another language, use [the command](#from-any-language).

For example, this is the table for a client that stores ids in 32 bits, stops reading at a short page, and does not retry:

\`\`\`text
name         survived       reported  first broken by
large-ids    0 of 1                   seed 1: id-lost: GET /v1/:account_id/posts/:post_id/stats was requested with 1692372819, but responses contained 1101204000595: it was truncated to 32 bits.
short-pages  0 of 20                  seed 1: Error: 9 of 16 posts
error-texts  not triggered
bad-gateway                 1
\`\`\`

| option | |
| --- | --- |
| \`seeds\` | maximum number of runs for each variation and bad day. Default: 20; of the [command](#from-any-language): 5. Those that involve no random choices need fewer runs. A bad day that affects one route happens on at most this number of routes, in the order of first use |
| \`only\` | the variations and bad days to try. Default: all |
| \`delayMs\` | maximum delay of \`slow-answers\`, ms. Default: 20 (outside of \`survive\`: 200) |
| \`lateMs\` | delay of \`late-answer\` and \`hanging-read\`, ms. Default: 5000 |
| \`expectError\` | a regular expression for the error that the function throws on a bad day. If it is set, any other error is a failure |
| \`print\` | function that prints the table. Default: \`console.log\` |

The first run has no variation, and the function must succeed in this run. The state is restored before each run and at the end. If the function itself resets the sandbox, \`survive\` throws an error.

| a run | if the function succeeds | if it throws |
| --- | --- | --- |
| with a variation | survived | broken |
| on a bad day | survived | survived if the error matches \`expectError\`, otherwise broken. Without \`expectError\`: *reported* |
| \`throttled\`, \`key-revoked\`, \`account-disconnected\` | survived | *reported*, unless the error does not match \`expectError\` |

A run is always broken if one of these happens:

- a POST that was carried out more often than without the bad day
- more than ten attempts of one request, or a request that was sent again within 100 ms after a 429. To [measure](audit.md) pauses for a sandbox in a test, set \`realTime: Date.now\`
- more than three further requests after the key was revoked or the account was disconnected
- an error or a warning of the [audit](audit.md) that the run without variation did not have
- a result that differs from the [result of the plain run](#compare-results)

*not triggered* means that the run varied no response and made no request fail, because the client does not use the affected values or routes. A run that was not triggered does not count as survived. [Bugs that are found](found-bugs.md) shows typical bugs, and the variation, bad day or rule that finds each of them.

Each of the \`results\` has \`name\`, \`kind\`, the numbers of \`runs\`, and of those that \`met\`, \`survived\` and \`reported\`. Each of its \`failures\` has the \`seed\`, the \`findings\`, the \`requests\`, the error as \`output\`, and the first lines of another result as \`difference\`. The seed of a bad day is the number of the route that fails.

## Compare results

A client that loses rows without an error returns another result, so return the result from the function: \`survive\` compares it with that of the run without variation. For a command, \`survive\` compares stdout, or the file that \`--output\` names. Write messages about retries to stderr, which is never compared.

| question | answer |
| --- | --- |
| Which runs are compared? | those that change no values: \`moving-rows\`, \`short-pages\`, \`empty-page\`, \`null-next-page\`, \`error-texts\`, \`slow-answers\`, \`expiring-links\`, and all bad days on which the client succeeds |
| What may differ? | \`_meta\`, signatures of links, times and durations, and ids of records that the run created |
| What if the result always differs? | The run without variation happens twice. If its results differ, the output says "output not compared: it is not repeatable" |
| What if the client shows only the first rows of a list? | With a variation, it may show fewer rows, if it leaves the same lists unfinished as without variation |
| What if the result says that the API failed? | On a bad day, a result that matches \`expectError\` counts as *reported*, unless the plain result also matches |
| What does the difference show? | the first line that differs: \`-\` is the line of the run without variation, \`+\` that of the failed run |
| What must not be in the result? | numbers of requests or credits, because retries change them. Write them to stderr |
| What is not compared? | a function that returns nothing, or an object of a class, such as a response |

## From any language

\`creator-api-sandbox survive\` does the same for any program: a test suite, a script, a report. \`survive\` starts a server and runs the command once without variation. Then it runs the command with each variation and on each bad day, up to \`--seeds\` times each:

\`\`\`sh fragment
npx creator-api-sandbox survive --scenario solo -- pytest
npx creator-api-sandbox survive --only large-ids,lost-answer -- npm test
npx creator-api-sandbox survive --expect-error 'API is (down|busy)' -- go test ./...
npx creator-api-sandbox survive --output report.json -- node report.js
npx creator-api-sandbox survive -- curl -sf -H 'X-API-Key: {key}' '{url}/v1/{account}/posts'
\`\`\`

[Test a Python client](../examples/python-survive/README.md) shows this step by step. The command reads the address and the key of the sandbox from its environment:

| variable | in an argument | |
| --- | --- | --- |
| \`CREATOR_API_URL\` | \`{url}\` | the address of the server, such as \`http://127.0.0.1:40123\` |
| \`CREATOR_API_KEY\` | \`{key}\` | the key of an owner. Each run has its own key, which opens a new world with the same data |
| \`CREATOR_API_ACCOUNT\` | \`{account}\` | the id of a connected account |

If the command exits with a code other than 0, the run failed. \`--expect-error\` is matched against the output of the command. The sandbox clock runs in real time, so that the audit can measure pauses between requests. If a run takes much longer than the first one, it is stopped, together with all programs that it started. Programs that a command leaves running are stopped when it ends.

Without \`--format json\`, the output ends with the first failed run of each variation and bad day: its findings, the last lines of its output, the first request that the bad day changed, its last requests, numbered in the order in which they began, and the flag that repeats it, such as \`--only lost-answer:2\`. \`--out FOLDER\` writes all lines and requests of each failed run to a file. Ctrl+C prints the results so far. [Options](options.md#survive----command) lists all flags.

The exit code is 1 if fewer than \`--fail-under\` percent (default: 100) of the variations and bad days were survived. Variations and bad days that did not affect the client, and bad days that the client only reported, do not count. The exit code is 2 if the command fails without variations.

## Variations
`

/**
 * Generates the page about variations and bad days. For each, it states the effect, which clients
 * fail, and the source.
 */
export function generateVariation(): GeneratedFile[] {
  return [
    {
      path: 'docs/variation.md',
      content: [
        introduction,
        ...describeAll('variation'),
        '## Bad days\n',
        ...describeAll('bad-day'),
      ].join('\n'),
    },
  ]
}

function describeAll(kind: Trial['kind']): string[] {
  return trials.filter((trial) => trial.kind === kind).map(describe)
}

function describe({ name, does, breaks, source }: Trial): string {
  return `### \`${name}\`\n\n${does} *Breaks:* ${lowerFirstLetter(breaks)} (${source})\n`
}

function lowerFirstLetter(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
