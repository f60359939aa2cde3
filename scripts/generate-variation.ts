import type { Variation } from '../src/variation/variation.ts'
import { variations } from '../src/variation/variations.ts'
import type { GeneratedFile } from './generate-media.ts'

const introduction = `# Variation

One answer shows one way in which the service may answer. The contract leaves more open: fields that may be absent, texts without a list of values, pages of any length, links that
expire. A client that depends on what it happened to see works until the service does otherwise. A sandbox can play that freedom out: it then answers in every way that the contract allows,
and in no other; what the reference promises never varies, and every answer still fits the published schemas. It is off unless it is asked for, and the same by the same seed.

| where | how |
| --- | --- |
| in a test | \`createSandbox({ variation: { seed: 7, only: ['large-ids'] } })\`; without \`only\` in every way |
| while it runs | \`sandbox.act({ type: 'variation.set', seed: 7, only: ['short-pages'] })\`, also over HTTP and as a step of a story; \`seed: null\` ends it, and so does a reset |
| on the command line | \`--variation 7\`, or \`--variation 7:large-ids,time-forms\` |

The journal shows a request as the client sent it, and the answer as it got it. What one request gets depends on the seed and on its method and address alone, so that asking again gives the
same; \`empty-page\` and \`expiring-links\` remember what they did, until the variation is set anew. Requests of a story do not vary.

## What a client survives

\`\`\`ts
const { survived, results } = await sandbox.survive(async (sandbox) => {
  const posts = await readAllPosts() // your client, through handlers or a server that are attached to this sandbox
  if (posts.length !== 13) throw new Error(\`\${posts.length} of 13 posts\`)
})
\`\`\`

It runs the function once as it is, which must succeed, and then under each variation alone, 20 times by other seeds (\`seeds\`), one run after another. Before each run the sandbox goes
back to where it was, and so it does in the end. It prints a table (\`print\` takes it elsewhere) and resolves to the same as values: of each variation how many runs it \`survived\`, in how many
an answer varied (\`met\`: a client that never meets a variation survives it unseen, which the table shows as *not met*), and the first \`failure\`. \`only\` names the variations to try;
\`delayMs\` bounds what \`slow-answers\` waits, 20 ms here and 200 elsewhere. The function does not reset or restore the sandbox.

## Variations
`

/**
 * Writes the page of the variations: each with what it does, what it breaks, and where the contract
 * allows it.
 */
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
