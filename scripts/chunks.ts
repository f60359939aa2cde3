import { relative } from 'node:path'
import { build } from 'esbuild'
import type { BuildOptions, Metafile, OnLoadResult, Plugin } from 'esbuild'

/** The main module. Any module that imports it statically loads the whole library. */
const mainModule = 'src/sandbox/sandbox.ts'
const library = 'src/index.ts'
/** Name of the import that is added to lazy modules and resolves to the library. */
const marker = 'after:the-library'

/**
 * Finds modules that are only loaded lazily, after the library. esbuild groups modules by the entry
 * points and lazy modules that need them. Each lazy module therefore splits the library into more
 * files, and each file slows down an import by half a millisecond. To keep the library in a few
 * files, we add an import of the library to these lazy modules, which costs nothing at run time. A
 * separate build without these imports finds the modules. It takes a twelfth of the total build
 * time.
 *
 * @param entryPoints the source files of the entry points
 * @throws {Error} if no output contains the main module, for example because it was renamed
 */
export async function findLazyModules(
  options: BuildOptions,
  entryPoints: readonly string[],
): Promise<ReadonlySet<string>> {
  const { metafile } = await build({ ...options, metafile: true, write: false })
  if (!Object.values(metafile.outputs).some(({ inputs }) => mainModule in inputs))
    throw new Error(`Failed to build: there is no ${mainModule}. Correct its path in chunks.ts.`)
  const outputs = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint }],
  )
  const isHeavy = (path: string) =>
    [...listReachableFiles(metafile, path)].some(
      (file) => mainModule in (metafile.outputs[file]?.inputs ?? {}),
    )
  const heavy = new Set(outputs.filter(({ path }) => isHeavy(path)).map(({ path }) => path))
  const own = outputs.filter(({ entryPoint }) => entryPoints.includes(entryPoint))
  // Entry points that do not load the main module.
  const apart = new Set<string>()
  // Modules that are statically imported by an entry point without the library, even if other
  // modules load them lazily.
  const atOnce = new Set<string>()
  for (const { path } of own.filter((output) => !heavy.has(output.path))) {
    listReachableFiles(metafile, path, (next) => !heavy.has(next), apart)
    for (const file of listReachableFiles(metafile, path))
      for (const module of Object.keys(metafile.outputs[file]?.inputs ?? {})) atOnce.add(module)
  }
  const isApart = ({ path, entryPoint }: (typeof outputs)[number]) =>
    apart.has(path) || atOnce.has(entryPoint)
  return new Set(
    outputs
      .filter(
        (output) =>
          output.entryPoint.startsWith('src/') &&
          !entryPoints.includes(output.entryPoint) &&
          !isApart(output),
      )
      .map(({ entryPoint }) => entryPoint),
  )
}

/**
 * Returns the outputs and packages that an output file imports statically, directly or indirectly,
 * plus the lazy imports that `follow` allows.
 */
export function listReachableFiles(
  { outputs }: Metafile,
  path: string,
  follow: (path: string) => boolean = () => false,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' || (kind === 'dynamic-import' && follow(next)))
      listReachableFiles({ inputs: {}, outputs }, next, follow, seen)
  return seen
}

/** Adds an import of the library to the lazy modules. `load` reads a source file. */
export function importLibraryFirst(
  followers: ReadonlySet<string>,
  load: (path: string) => string,
): Plugin {
  return {
    name: 'keep-together',
    setup({ onLoad, onResolve, initialOptions }) {
      const root = initialOptions.absWorkingDir ?? process.cwd()
      onResolve({ filter: new RegExp(`^${marker}$`) }, () => ({
        path: marker,
        namespace: marker,
        sideEffects: true,
      }))
      // The package is marked as free of side effects, so the bundler would otherwise remove the
      // import as unused.
      onLoad({ filter: /^/, namespace: marker }, () => ({
        contents: `import { createSandbox } from './${library}'\nif (createSandbox === undefined) throw new Error('The library is not loaded')`,
        resolveDir: root,
      }))
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }): OnLoadResult => {
        const isFollower = followers.has(relative(root, path).replaceAll('\\', '/'))
        return { contents: load(path) + (isFollower ? `\nimport '${marker}'\n` : ''), loader: 'ts' }
      })
    },
  }
}

/**
 * Replaces packages that a library imports but that we do not use. Calls to their functions throw.
 * @param unused the imported names of each package
 */
export function omitPackages(unused: Readonly<Record<string, readonly string[]>>): Plugin {
  return {
    name: 'leave-out',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: new RegExp(`^(?:${Object.keys(unused).join('|')})$`) }, ({ path }) => ({
        path,
        namespace: 'left-out',
      }))
      onLoad({ filter: /^/, namespace: 'left-out' }, ({ path }) => ({
        contents: (unused[path] ?? [])
          .map(
            (name) =>
              `export function ${name}() { throw new Error('${name} of ${path} is left out of this build') }`,
          )
          .join('\n'),
      }))
    },
  }
}
