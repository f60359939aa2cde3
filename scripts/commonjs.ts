import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, transformSync } from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import countries from '../src/generated/texts/countries.ts'

/** Folder of the CommonJS build. ESM imports do not load files from this folder. */
const folder = 'dist/cjs'

/**
 * Dependencies that are inlined in CommonJS, because Jest does not transform node_modules. In
 * jsdom, Jest picks the browser build of yaml, which is ESM-only.
 */
const esmOnly = ['yaml', '@faker-js/faker']

/** The locales of faker that the shipped scenarios use. Others are loaded at run time. */
const inlinedLocales = new Set(['en', ...countries.flatMap(({ locales }) => locales)])

/** Inlines the locales of faker that the shipped scenarios use, and leaves the others external. */
const inlineLocales: Plugin = {
  name: 'inline-locales',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@faker-js\/faker\/locale\// }, ({ path }) =>
      inlinedLocales.has(path.split('/').at(-1) ?? '') ? undefined : { path, external: true },
    ),
}

/**
 * Modules that consist of data: the bytes of media, the ready-made records, the shipped scenarios,
 * personas and texts.
 */
const dataModule =
  /^src\/generated\/(?:(?:media|ready|scenarios|texts\/personas)\/[\w-]+|texts\/index)\.ts$/

/** Modules that import data modules when the data are first needed. */
const dataImporter =
  /[\\/](?:generated[\\/](?:media-bytes|ready-rows|scenario-index|persona-index)|seed-sources)\.ts$/

/**
 * Builds the entry points as CommonJS, with the same options as the ESM build. Data are read from
 * the ESM build, because they make up most of the package. Lazy chunks stay lazy.
 */
export async function buildCommonJs(
  options: BuildOptions & { external: string[] },
  esm: Metafile,
): Promise<Metafile> {
  // esbuild can only split ESM output, so each file is converted separately.
  const { outputFiles, metafile } = await build({
    ...options,
    plugins: [readDataFromEsm(esm), inlineLocales, ...(options.plugins ?? [])],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    external: options.external.filter(
      (name) => !esmOnly.some((own) => name === own || name.startsWith(`${own}/`)),
    ),
    metafile: true,
    write: false,
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, toCommonJs(text))
  }
  return metafile
}

/** Lets modules that load data read the files of the ESM build as text. */
function readDataFromEsm({ outputs }: Metafile): Plugin {
  const files = new Map(
    Object.entries(outputs).flatMap(([file, { entryPoint = '' }]) =>
      dataModule.test(entryPoint) ? [[entryPoint, relative('dist', file)]] : [],
    ),
  )
  return {
    name: 'data-from-esm',
    setup({ onLoad }) {
      onLoad({ filter: dataImporter }, ({ path }) => ({
        contents:
          readerOfData +
          readFileSync(path, 'utf8').replaceAll(/import\('([^']+)'\)/g, (found, module: string) => {
            const source = relative('.', join(dirname(path), module))
            if (!dataModule.test(toPosix(source))) return found
            const file = files.get(toPosix(source))
            if (file !== undefined) return `readData('${toPosix(file)}')`
            throw new Error(
              `Failed to build: ${source} is only in the CommonJS build. Build both from the same entries.`,
            )
          }),
        loader: 'ts',
      }))
    },
  }
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Code that evaluates a data module of `dist`. It ignores the imports, which a data module does not use. */
const readerOfData = `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
async function readData(file: string) {
  const folder = dirname(fileURLToPath(import.meta.url))
  const dist = join(folder, folder.endsWith('chunks') ? '../..' : '..')
  const text = readFileSync(join(dist, file), 'utf8')
  const end = text.lastIndexOf('export{')
  const code = text.slice(text.indexOf('var '), end)
  const exported = text.slice(end + 'export'.length, text.lastIndexOf('}') + 1)
  const value = exported.replaceAll(/(\\w+) as (\\w+)/g, '$2:$1')
  return new Function('init_globals', code + ';return' + value)(() => {})
}
`

function toCommonJs(text: string): string {
  const isLocated = text.includes('import.meta.url')
  const { code } = transformSync(text, {
    format: 'cjs',
    target: 'es2022',
    // Jest runs tests in a realm without `import()`.
    supported: { 'dynamic-import': false },
    define: isLocated ? { 'import.meta.url': 'importMetaUrl' } : {},
    banner: isLocated
      ? 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;'
      : '',
    minifyWhitespace: true,
    lineLimit: 160,
  })
  // Turns exports into plain values, so that `jest.spyOn` can replace them. Exports that `__esm`
  // sets later stay getters.
  return code.includes('__esm(')
    ? code
    : `${code}module.exports=Object.defineProperty({...module.exports},"__esModule",{value:true});\n`
}
