// Prints random comments, names, docs and messages for reviewers to judge: npm run sample-prose --
// --seed 1 --count 200
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Random } from '../src/world/random.ts'

interface Sample {
  place: string
  text: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['src', 'test', 'scripts', 'bench', 'docs']
const exempt = /node_modules|[/\\](?:generated|digests|images)[/\\]/

/** Kinds of samples, each with the files to search and a pattern that matches its samples. */
const kinds = {
  comment: { files: /\.tsx?$/, form: /\/\*\*([^]*?)\*\/|(?:^ *\/\/.*\n)+/gm },
  name: { files: /\.tsx?$/, form: /^export (?:async )?(?:function\*?|class) (\w+)/gm },
  message: { files: /^src.*\.tsx?$/, form: /['"`]([A-Z$](?:[^'"`\n ]* ){4}[^'"`\n]*)['"`]/g },
  docs: { files: /\.md$/, form: /(?<=^|[.!?] )[A-Z][^.!?\n|`]{20,200}[.!?](?= |$)/gm },
} as const

const usage = `Usage: npm run --silent sample-prose -- [options]

  --seed <number>   random seed. Default: 1
  --count <number>  number of samples. Default: 200
  --under <path>    only files whose path starts with this. Default: all files
  --help            print this text`

const values = readFlags()
if (values.help === true) {
  console.log(usage)
  process.exit()
}
const files = [...folders.flatMap(getFiles), 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md']
  .filter((path) => path.startsWith(values.under))
  .map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }))
const pools = Object.entries(kinds).map(([kind, { files: matching, form }]) => ({
  kind,
  samples: files
    .filter(({ path }) => matching.test(path))
    .flatMap(({ path, content }) => getSamples(path, content, form))
    .filter(({ text }) => kind === 'name' || /[a-z]{2,} [a-z]{2,}/.test(text)),
}))
const random = new Random(Number(values.seed))
const drawable = pools.filter(({ samples }) => samples.length > 0)

for (let number = 1; number <= Number(values.count) && drawable.length > 0; number += 1) {
  const { kind, samples } = random.pick(drawable)
  const [sample] = samples.splice(random.integer(0, samples.length - 1), 1)
  if (sample === undefined) continue
  const { place, text } = sample
  console.log(`${number}. ${kind}  ${place}\n   ${text}\n`)
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string', default: '200' },
        under: { type: 'string', default: '' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

function getSamples(path: string, content: string, form: RegExp): Sample[] {
  return [...content.matchAll(form)].map(({ 0: whole, 1: part, index }) => ({
    place: `${path}:${content.slice(0, index).split('\n').length}`,
    text: (part ?? whole)
      .replace(/^ *(?:\/\/|\*) ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

function getFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !exempt.test(path))
    .toSorted()
}
