import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, transformSync } from 'esbuild'
import type { BuildOptions, Metafile } from 'esbuild'

/** Folder of the CommonJS build. ESM imports do not load files from this folder. */
const folder = 'dist/cjs'

/**
 * Dependencies that are inlined in CommonJS, because Jest does not transform node_modules. In
 * jsdom, Jest picks the browser build of yaml, which is ESM-only.
 */
const esmOnly = ['yaml']

/**
 * Folder of the modules that contain media bytes. Both builds share these modules, because they
 * make up most of the package.
 */
const mediaModules = 'src/generated/media/'

/**
 * Builds the entry points as CommonJS, with the same options as the ESM build and the same media
 * files. Lazy chunks stay lazy.
 */
export async function buildCommonJs(
  options: BuildOptions & { external: string[] },
  esm: Metafile,
): Promise<Metafile> {
  // esbuild can only split ESM output, so each file is converted separately.
  const { outputFiles, metafile } = await build({
    ...options,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    external: options.external.filter(
      (name) => !esmOnly.some((own) => name === own || name.startsWith(`${own}/`)),
    ),
    metafile: true,
    write: false,
  })
  for (const { path, text } of outputFiles) {
    const source = metafile.outputs[relative(process.cwd(), path)]?.entryPoint ?? ''
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      source.startsWith(mediaModules)
        ? createMediaModule(path, findOutputFile(esm, source))
        : toCommonJs(text),
    )
  }
  return metafile
}

/** Returns the output file that a module was built into. */
function findOutputFile({ outputs }: Metafile, source: string): string {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (path === undefined)
    throw new Error(
      `Failed to build: ${source} is only in the CommonJS build. Build both from the same entries.`,
    )
  return path
}

/**
 * Returns a module that reads an asset's files from the ESM build, where they are stored as a JSON
 * object.
 */
function createMediaModule(path: string, esmPath: string): string {
  const place = relative(dirname(relative(process.cwd(), path)), esmPath).replaceAll('\\', '/')
  return (
    'const{readFileSync}=require("node:fs");const{join}=require("node:path");' +
    `const text=readFileSync(join(__dirname,${JSON.stringify(place)}),"utf8");` +
    // Removes the line breaks that the build inserts into long strings.
    'const start=text.indexOf("files={")+6;exports.files=JSON.parse(text.slice(start,text.indexOf("}",start)+1).replaceAll("\\\\\\n",""));\n'
  )
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
