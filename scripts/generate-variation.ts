import type { Variation } from '../src/variation/variation.ts'
import { variations } from '../src/variation/variations.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Variation

The contract of the API does not fix every detail: fields may be missing, pages may be short, links expire. A client that relies on details that it saw by chance will break later. Variation changes these details, but only within the contract. It is off by default. The same seed gives the same answers.

| where | how |
| --- | --- |
| in a test | \`createSandbox({ variation: { seed: 7, only: ['large-ids'] } })\`. Without \`only\`: all variations |
| while it runs | \`sandbox.act({ type: 'variation.set', seed: 7, only: ['short-pages'] })\`, also over HTTP and in a story. To stop, set \`seed: null\`, or reset |
| on a server | \`--variation 7\`, or \`--variation 7:large-ids,time-forms\` |

The journal shows requests and answers as the client sent and received them. An answer depends only on the seed, the method and the URL, so repeating a request gives the same answer. Only \`empty-page\` and \`expiring-links\` have a memory: it is cleared by the next \`variation.set\`. Requests of a story do not vary.

## Test your client with every variation

\`survive\` runs a function with each variation and 20 seeds, and prints the failures:

\`\`\`ts fragment
const { survived, results } = await sandbox.survive(async () => {
  const posts = await readAllPosts() // your client, with the handlers or the server of this sandbox
  if (posts.length !== 16) throw new Error(\`\${posts.length} of 16 posts\`)
})
\`\`\`

For example, this is the table for a client that stores ids in 32 bits, and stops reading at a short page:

\`\`\`text
variation    survived  first broken by
large-ids    0 of 20   seed 1: Error: no statistics
short-pages  0 of 20   seed 1: Error: 9 of 16 posts
error-texts  not met
\`\`\`

| option | |
| --- | --- |
| \`seeds\` | number of seeds for each variation. Default: 20 |
| \`only\` | the variations to try. Default: all |
| \`delayMs\` | maximum delay of \`slow-answers\`, ms. Default: 20 (outside of \`survive\`: 200) |
| \`print\` | function that prints the table. Default: \`console.log\` |

The function must first succeed without variation. State is restored before each run and at the end, so the function must not reset the sandbox. The returned \`results\` contain the same figures: the number of runs that \`survived\`, the number of runs that \`met\` a varied answer, and the first \`failure\`. *not met* means that no answer was varied, because the client does not use the affected values.

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
