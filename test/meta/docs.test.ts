import { readFileSync } from 'node:fs'
import { parseScenario } from '../../src/scenario/parse.ts'
import { transformSync } from 'esbuild'
import { createSandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { docBlocks } from '../support/doc-blocks.ts'
import type { DocBlock } from '../support/doc-blocks.ts'

const whole = docBlocks.filter(({ isFragment }) => !isFragment)
const inLanguage = (language: string) =>
  whole
    .filter((block) => block.language === language)
    .map((block) => [getName(block), block] as const)

it('uses only code languages that the tests can run', () => {
  expect([...new Set(docBlocks.map(({ language }) => language))].toSorted()).toEqual(
    ['http', 'js', 'json', 'py', 'sh', 'text', 'ts', 'yaml'].toSorted(),
  )
})

it.each(inLanguage('json'))('shows JSON: %s', (_, { code }) => {
  expect(() => JSON.parse(code) as unknown).not.toThrow()
})

it.each(inLanguage('py'))('shows Python of an example: %s', (_, { code, file = '' }) => {
  const example = readFileSync(new URL(`../../examples/python-survive/${file}`, import.meta.url))
  const shown = code.slice(code.indexOf('\n') + 1)
  expect(example.toString()).toContain(shown)
})

it.each(inLanguage('js'))('shows JavaScript: %s', (_, { code }) => {
  expect(() => transformSync(code, { loader: 'js' })).not.toThrow()
})

it.each(inLanguage('yaml'))(
  'shows YAML, scenarios and overlays that are valid: %s',
  async (_, block) => {
    const value = parse(block.code, { merge: true }) as object
    if ('routes' in value) return void (await readOverlay(block.code))
    if (!('extends' in value) && !('organisations' in value)) return
    const sandbox = createSandbox({ scenario: await parseScenario(block.code, block.page) })
    await sandbox.ready
    expect(sandbox.check().holds).toBe(true)
    if ('timeline' in value)
      expect(await sandbox.play()).toMatchObject({ status: 'ended', problems: [] })
  },
)

// docs.long.test.ts tests blocks that show a project file.
for (const [name, block] of inLanguage('ts').filter(([, { file }]) => file === undefined)) {
  // A code block that contains tests runs unchanged. Any other block is wrapped in a test.
  if (/^(it|test|describe)\(/m.test(block.code))
    describe(`in ${name}`, async () => {
      await runModule(block)
    })
  else it(`runs ${name}`, () => runModule(block))
}

/** Runs the code of a block as a module. */
async function runModule({ code, page }: DocBlock): Promise<void> {
  const { code: script } = transformSync(code, {
    loader: 'ts',
    format: 'esm',
    target: 'esnext',
    supported: { using: false },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const body = script.replace(
    /^import (?:(\w+)|(\{[^}]*\})) from "([^"]+)";$/gm,
    (_, name: string | undefined, names: string | undefined, from: string) =>
      `const ${name === undefined ? names?.replaceAll(' as ', ': ') : `{ default: ${name} }`} = await load("${from}");`,
  )
  const run = new Function('load', `return (async () => { ${body} })() //# sourceURL=${page}`)
  await (run as (load: (from: string) => Promise<object>) => Promise<void>)(
    (from) => import(from) as Promise<object>,
  )
}

function getName({ page, line }: DocBlock): string {
  return `${page}:${line}`
}
