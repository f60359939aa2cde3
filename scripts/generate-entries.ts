import { readFileSync } from 'node:fs'
import { getDeclarationsPath, entries, getImportSpecifier } from './entry-points.ts'
import type { Entry } from './entry-points.ts'
import type { GeneratedFile } from './generated-file.ts'

/**
 * Writes the entry points to package.json and tsconfig.json, and leaves the rest of both files
 * unchanged.
 */
export function generateEntries(): GeneratedFile[] {
  return [toManifest(), toConfiguration()]
}

function toManifest(): GeneratedFile {
  const manifest = JSON.parse(read('package.json')) as Record<string, unknown>
  const main = entries.find(({ name }) => name === 'index')
  const subpaths = entries.filter((entry) => entry !== main && entry.isEsmOnly !== true)
  const changed: Record<string, unknown> = {
    ...manifest,
    exports: {
      ...Object.fromEntries(
        entries.map((entry) => [
          getImportSpecifier(entry).replace('creator-api-sandbox', '.'),
          toConditions(entry),
        ]),
      ),
      './openapi.json': './docs/openapi.json',
      './package.json': './package.json',
    },
    // These fields are for tools that ignore `exports`, such as TypeScript with `moduleResolution:
    // node10`.
    main: main && toCommonJsPaths(main).default,
    types: main && toCommonJsPaths(main).types,
    typesVersions: {
      '*': Object.fromEntries(
        subpaths.map((entry) => [entry.name, [toCommonJsPaths(entry).types]]),
      ),
    },
  }
  return { path: 'package.json', content: `${JSON.stringify(changed, null, 2)}\n` }
}

/** Every condition except `require` resolves to ESM. */
function toConditions(entry: Entry): object {
  return {
    ...(entry.isEsmOnly === true ? {} : { require: toCommonJsPaths(entry) }),
    default: {
      types: `./dist/types/${getDeclarationsPath(entry)}.d.ts`,
      default: `./dist/${entry.name}.js`,
    },
  }
}

function toCommonJsPaths(entry: Entry): { types: string; default: string } {
  return {
    types: `./dist/types/${getDeclarationsPath(entry)}.d.cts`,
    default: `./dist/cjs/${entry.name}.cjs`,
  }
}

function toConfiguration(): GeneratedFile {
  const lines = entries.map(
    (entry) => `      "${getImportSpecifier(entry)}": ["./${entry.source}"]`,
  )
  return {
    path: 'tsconfig.json',
    content: read('tsconfig.json').replace(
      /"paths": \{[^}]*\}/,
      `"paths": {\n${lines.join(',\n')}\n    }`,
    ),
  }
}

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}
