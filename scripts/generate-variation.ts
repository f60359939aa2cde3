import type { Variation } from '../src/variation/variation.ts'
import { variations } from '../src/variation/variations.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Variation

The contract leaves answers open: fields may be absent, pages may be short, links expire. A client that relies on what it happened to see breaks later. With variation, the sandbox answers in every way that the contract allows, and in no other. It is off by default. The same seed gives the same answers.

| where | how |
| --- | --- |
| in a test | \`createSandbox({ variation: { seed: 7, only: ['large-ids'] } })\`. Without \`only\`: all variations |
| while it runs | \`sandbox.act({ type: 'variation.set', seed: 7, only: ['short-pages'] })\`, also over HTTP and in a story. \`seed: null\` and a reset end it |
| on a server | \`--variation 7\`, or \`--variation 7:large-ids,time-forms\` |

The journal shows requests and answers as the client sent and received them. An answer depends only on the seed, the method and the address, so asking again gives the same. \`empty-page\` and \`expiring-links\` remember what they did until \`variation.set\` is called again. Requests of a story do not vary.

## Test what a client survives

\`survive\` runs a function under each variation, with 20 seeds each, and prints what broke it:

\`\`\`ts fragment
const { survived, results } = await sandbox.survive(async () => {
  const posts = await readAllPosts() // your client, with the handlers or the server of this sandbox
  if (posts.length !== 16) throw new Error(\`\${posts.length} of 16 posts\`)
})
\`\`\`

A client that keeps ids in 32 bits, and takes a short page for the last one, gets this table:

\`\`\`text
variation    survived  first broken by
large-ids    0 of 20   seed 1: Error: no statistics
short-pages  0 of 20   seed 1: Error: 9 of 16 posts
error-texts  not met
\`\`\`

| option | |
| --- | --- |
| \`seeds\` | runs of each variation. Default: 20 |
| \`only\` | the variations to try. Default: all |
| \`delayMs\` | maximum delay of \`slow-answers\`, ms. Default: 20. Outside of \`survive\` it is 200 |
| \`print\` | function that gets the table. Default: console.log |

The function runs once without variation, and must succeed. State is restored before each run and at the end, so the function must not reset the sandbox. The result has the same as values: runs that \`survived\`, runs that \`met\` a varied answer, and the first \`failure\`. *not met* means that no answer varied: the client does not use what varies.

## Variations
`

/** Writes the page of the variations: effect, what it breaks, and source of each. */
export function generateVariation(): GeneratedFile[] {
  return [
    { path: 'docs/variation.md', content: [introduction, ...variations.map(describe)].join('\n') },
  ]
}

function describe({ name, does, breaks, source }: Variation): string {
  return `### \`${name}\`\n\n${does} *Breaks:* ${lower(breaks)} (${source})\n`
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
