import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
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

/** Modules that consist of data: the bytes of media, and the ready-made records. */
const dataModule = /^src\/generated\/((?:media|ready)\/[\w-]+)\.ts$/

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
  const places = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) => {
      const [, name] = dataModule.exec(entryPoint) ?? []
      return name === undefined ? [] : [[name, relative('dist', path).replaceAll('\\', '/')]]
    }),
  )
  const find = (name: string) => {
    const place = places.get(name)
    if (place !== undefined) return place
    throw new Error(
      `Failed to build: ${name} is only in the CommonJS build. Build both from the same entries.`,
    )
  }
  return {
    name: 'data-from-esm',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/](?:media-bytes|ready-rows)\.ts$/ }, ({ path }) => ({
        contents:
          readerOfData +
          readFileSync(path, 'utf8').replaceAll(
            /import\('\.\/((?:media|ready)\/[\w-]+)\.ts'\)/g,
            (_, name: string) => `readData('${find(name)}')`,
          ),
        loader: 'ts',
      }))
    },
  }
}

/** Code that reads the value `files` of a module in `dist`. */
const readerOfData = `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
async function readData(place: string) {
  const folder = dirname(fileURLToPath(import.meta.url))
  const dist = join(folder, folder.endsWith('chunks') ? '../..' : '..')
  const text = readFileSync(join(dist, place), 'utf8')
  const literal = text.slice(text.indexOf('files=') + 6, text.lastIndexOf('export'))
  return { files: new Function('return ' + literal)() }
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
