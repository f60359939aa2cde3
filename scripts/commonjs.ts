import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { build, transformSync } from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'

/** Folder of the CommonJS build. ESM imports do not load files from this folder. */
const folder = 'dist/cjs'

/**
 * Dependencies that are inlined in CommonJS, because Jest does not transform node_modules. In
 * jsdom, Jest picks the browser build of yaml, which is ESM-only.
 */
const esmOnly = ['yaml']

/** Folder of the modules that contain the bytes of media. */
const mediaModules = 'src/generated/media/'

/**
 * Builds the entry points as CommonJS, with the same options as the ESM build. Media are read from
 * the ESM build, because they make up most of the package. Lazy chunks stay lazy.
 */
export async function buildCommonJs(
  options: BuildOptions & { external: string[] },
  esm: Metafile,
): Promise<Metafile> {
  // esbuild can only split ESM output, so each file is converted separately.
  const { outputFiles, metafile } = await build({
    ...options,
    plugins: [readMediaFromEsm(esm), ...(options.plugins ?? [])],
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

/** Replaces the loader of media files by one that reads the modules of the ESM build as text. */
function readMediaFromEsm({ outputs }: Metafile): Plugin {
  const places = Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) =>
      entryPoint.startsWith(mediaModules)
        ? [[basename(entryPoint, '.ts'), relative('dist', path).replaceAll('\\', '/')]]
        : [],
    ),
  )
  const contents = `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
const places = ${JSON.stringify(places)}
// This module is built into dist/cjs/chunks.
const dist = join(dirname(fileURLToPath(import.meta.url)), '../..')
async function read(place) {
  const text = readFileSync(join(dist, place), 'utf8')
  const start = text.indexOf('files={') + 6
  // Removes the line breaks that the build inserts into long strings.
  const json = text.slice(start, text.indexOf('}', start) + 1).replaceAll('\\\\\\n', '')
  return { files: JSON.parse(json) }
}
export const mediaBytes = Object.fromEntries(
  Object.entries(places).map(([name, place]) => [name, () => read(place)]),
)`
  return {
    name: 'media-from-esm',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/]media-bytes\.ts$/ }, () => ({ contents, loader: 'js' }))
    },
  }
}

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

/**
 * Writes the declarations of the CommonJS build, which are the ESM declarations with CommonJS file
 * names.
 */
export function writeCommonJsDeclarations(source: string, files: readonly string[]): void {
  for (const file of files) {
    const target = join(folder, 'types', file.slice(source.length).replace(/\.d\.ts$/, '.d.cts'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(
      target,
      readFileSync(file, 'utf8').replaceAll(
        /((?:from|import)\s*\(?\s*['"]\.[^'"]*)\.js(['"])/g,
        '$1.cjs$2',
      ),
    )
  }
}
