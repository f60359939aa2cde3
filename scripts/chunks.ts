import { relative } from 'node:path'
import { build } from 'esbuild'
import type { BuildOptions, Metafile, OnLoadResult, Plugin } from 'esbuild'

/**
 * The module that tells a library in use from one that is not: whatever loads it has the whole
 * library loaded.
 */
const heart = 'src/sandbox/sandbox.ts'
const library = 'src/index.ts'
/** Names the library in the modules that are marked. */
const marker = 'after:the-library'

/**
 * The modules that are loaded lazily, and only where the library is loaded. esbuild puts modules
 * into one file where the same entry points and lazy modules need them, so that each lazy module
 * splits the library further, and each file costs an import half a millisecond. With an import of
 * the library in each of these, which costs nothing there, the library stays in a few files. Which
 * ones they are shows in a build without that alone, once all is linked: it takes a twelfth of the
 * whole build, most of which is tsc.
 *
 * @param entryPoints The sources of the entry points.
 */
export async function findFollowers(
  options: BuildOptions,
  entryPoints: readonly string[],
): Promise<ReadonlySet<string>> {
  const { metafile } = await build({ ...options, metafile: true, write: false })
  const outputs = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint }],
  )
  const isHeavy = (path: string) =>
    [...reach(metafile, path, () => false)].some(
      (file) => heart in (metafile.outputs[file]?.inputs ?? {}),
    )
  const heavy = new Set(outputs.filter(({ path }) => isHeavy(path)).map(({ path }) => path))
  const own = outputs.filter(({ entryPoint }) => entryPoints.includes(entryPoint))
  // Entry points that work without the library.
  const apart = new Set<string>()
  // And the modules that are loaded there at once, even if others load them lazily.
  const atOnce = new Set<string>()
  for (const { path } of own.filter((output) => !heavy.has(output.path))) {
    reach(metafile, path, (next) => !heavy.has(next), apart)
    for (const file of reach(metafile, path, () => false))
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

/** The files that a file loads at once, and of what it loads lazily those that `follow` says. */
function reach(
  { outputs }: Metafile,
  path: string,
  follow: (path: string) => boolean,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement' || (kind === 'dynamic-import' && follow(next)))
      reach({ inputs: {}, outputs }, next, follow, seen)
  return seen
}

/** Lets the followers of the library import it. `load` reads a module of ours. */
export function keepTogether(
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
      // The package has no side effects: an import of the library would be dropped if nothing were
      // done with it.
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
 * Leaves packages out that a library imports, and that nothing of ours has it call: who does is
 * told. `unused`: what is imported of each.
 */
export function leaveOut(unused: Readonly<Record<string, readonly string[]>>): Plugin {
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
