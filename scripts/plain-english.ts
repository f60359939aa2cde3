// Part of npm run lint: fails if a text contains words that plain English avoids, or too many
// comments start with a question word.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files and folders to check. */
const checked = [
  'README.md',
  'CHANGELOG.md',
  'docs',
  'bench',
  'examples',
  'scripts',
  'deploy',
  '.ci',
  'src/api',
  'src/audit',
  'src/cli',
  'src/client',
  'src/control',
  'src/data',
  'src/effects',
  'src/error-catalogue.ts',
  'src/errors.ts',
  'src/hosts',
  'src/index.ts',
  'src/lib',
  'src/openapi',
  'src/overlay',
  'src/pictures',
  'src/reference',
  'src/resources',
  'src/runners',
  'src/sandbox',
  'src/scenario',
  'src/variation',
  'src/verify',
  'src/world',
  'test',
]

/** Pages that are generated from src. The files in src are checked instead. */
const generated = /docs\/(actions|audit|control|errors|options|routes|scenarios|variation)\.md$/

/** Pages and code that are not yet checked. */
const pending = /test\/browser\//

const data = /node_modules|\/digests\/|\/generated\/|scripts\/plain-english\.ts$|\.(json|png|svg)$/

/** Words to avoid. A single word in quotes is treated as data and not reported. */
const words = /(?<!['"`])\b(whoever|somebody|nobody|anew|thereof|wherein)\b(?!['"`])/i

/** Comments that start with a question word instead of describing the code. */
const weakComments = /(?:\/\*\*[\s*]*|^ *\/\/ *)(?:What|Whether|Whoever|How)\b/gm

/** Maximum number of comments that start with a question word. */
const maxWeakComments = 20

const files = checked
  .flatMap(getFiles)
  .map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }))
const found = files.flatMap(({ path, content }) =>
  content
    .split('\n')
    .map((text, index) => ({ text, place: `${path}:${index + 1}` }))
    .filter(({ text }) => words.test(text)),
)
const weak = files.reduce((sum, { content }) => sum + (content.match(weakComments)?.length ?? 0), 0)

for (const { text, place } of found)
  console.error(`${place}: replace '${words.exec(text)?.[1]}': ${text.trim()}`)
console.log(`Comments that begin with What, Whether, Whoever or How: ${weak} of ${maxWeakComments}`)
process.exitCode = found.length > 0 || weak > maxWeakComments ? 1 : 0

function getFiles(path: string): string[] {
  if ([generated, pending, data].some((exempt) => exempt.test(path))) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => getFiles(`${path}/${name}`))
}
