import type { Document, ParsedNode } from 'yaml'
import { listProblems } from '../api/check-input.ts'
import { createRouteMatcher, createLazyRouter } from '../api/route-matcher.ts'
import { getAtPath } from '../lib/plain-json.ts'
import type { Route, RouteSet } from '../api/route.ts'
import { describeValue, truncateForMessage, SandboxError, quoteText } from '../errors.ts'
import { readYaml, YamlError } from '../scenario/yaml.ts'
import { routes as shippedRoutes } from '../resources/all-resources.ts'
import { compileOverlay } from './compile.ts'
import type { CompiledRoutes } from './compile.ts'
import { Overlay, OverlayMismatchError } from './format.ts'
import type { Overlay as OverlayInput } from './format.ts'
import { readTextFile } from '../scenario/scenario-file.ts'

export type { OverlayInput }

/** An overlay as YAML, with a name for error messages. */
export interface OverlayText {
  text: string
  /** Name for error messages, such as the file name. */
  source: string
}

/** Maximum length of an overlay, characters. */
const maxOverlayLength = 2_000_000

/**
 * Reads overlays, which describe how the service differs from the sandbox, from YAML or objects.
 * Each overlay is applied to the result of the previous overlays. Pass the result as the option
 * `overlay`. That option also accepts files and objects directly. Use this function for YAML
 * strings, for example in a browser, and to share an overlay between several sandboxes.
 *
 * @throws {SandboxError} with the line, its content and the fields of the route
 * @example
 * const overlay = await readOverlay({
 *   routes: { 'GET /v1/tags': { answer: { '$.list[*].name': { rename: 'title' } } } },
 * })
 * const sandbox = createSandbox({ overlay })
 */
export async function readOverlay(
  ...overlays: readonly (OverlayInput | OverlayText | string)[]
): Promise<RouteSet> {
  let compiled: CompiledRoutes = { routes: shippedRoutes, absent: new Set() }
  const parsed: OverlayInput[] = []
  for (const given of overlays) {
    const { overlay, placeOf } = await parseOverlay(given)
    compiled = applyOverlay({ overlay, placeOf }, compiled)
    parsed.push(overlay)
  }
  return toRouteSet(compiled, parsed)
}

function applyOverlay(
  { overlay, placeOf }: ParsedOverlay,
  compiled: CompiledRoutes,
): CompiledRoutes {
  try {
    return compileOverlay(compiled, overlay)
  } catch (error) {
    if (!(error instanceof OverlayMismatchError)) throw error
    throw new SandboxError(
      `Failed to read the overlay (${placeOf(['routes', ...error.path])}): ${error.message}.`,
    )
  }
}

/** A valid overlay and the source positions of its parts. */
export interface ParsedOverlay {
  overlay: OverlayInput
  placeOf: (path: readonly PropertyKey[]) => string
}

/**
 * Validates the format of an overlay, but not whether it matches the routes.
 *
 * @throws {SandboxError}
 */
export async function parseOverlay(
  given: OverlayInput | OverlayText | string,
): Promise<ParsedOverlay> {
  const { value, placeOf } = await read(given)
  const result = Overlay.safeParse(value)
  if (result.success) return { overlay: result.data, placeOf }
  const [problem] = listProblems(result.error, Overlay, value)
  const path = problem?.path ?? []
  throw new SandboxError(
    `Failed to read the overlay (${placeOf(path)}): it is ${describeValue(getAtPath(value, path))}, but ` +
      `${problem?.expected ?? 'this value is not allowed'}.`,
  )
}

async function read(
  given: OverlayInput | OverlayText | string,
): Promise<{ value: unknown; placeOf: ParsedOverlay['placeOf'] }> {
  const written = typeof given === 'string' ? { text: given, source: 'overlay' } : given
  if (!isText(written))
    return {
      value: written,
      placeOf: (path) => truncateForMessage(path.map(String).join(' › ')) || 'the overlay',
    }
  const { text, source } = written
  if (text.length > maxOverlayLength)
    throw new SandboxError(
      `Failed to read the overlay (${source}): it has ${text.length} characters. The maximum is ` +
        `${maxOverlayLength}.`,
    )
  try {
    const { document, lines } = await readYaml(text)
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      placeOf(path) {
        const { line, col } = lines.linePos(findOffset(document, path))
        return `${source}:${line}:${col}${path.length === 0 ? '' : `, at ${truncateForMessage(path.map(String).join(' › '))}`}`
      },
    }
  } catch (error) {
    if (error instanceof YamlError) {
      const { line, col } = error.lines.linePos(error.offset)
      throw new SandboxError(
        `Failed to read the overlay (${source}:${line}:${col}): ` +
          `${truncateForMessage(error.message.split('\n')[0] ?? '')}.`,
        {
          cause: error,
        },
      )
    }
    // Throws for aliases whose expansion would be exponential.
    if (error instanceof ReferenceError)
      throw new SandboxError(
        `Failed to read the overlay (${source}): ${truncateForMessage(error.message)}.`,
        {
          cause: error,
        },
      )
    throw error
  }
}

function isText(given: OverlayInput | OverlayText): given is OverlayText {
  return (
    typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string'
  )
}

/** Returns the offset of the key at a path, or of its nearest ancestor. */
function findOffset(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const holder =
      length === 1
        ? document.contents
        : (document.getIn(path.slice(0, length - 1), true) as ParsedNode | undefined)
    const items = (
      holder as
        | { items?: readonly { key?: { value?: unknown; range?: [number, number, number] } }[] }
        | null
        | undefined
    )?.items
    const pair = items?.find(({ key }) => key?.value === path[length - 1])
    if (pair?.key?.range !== undefined) return pair.key.range[0]
  }
  return document.contents?.range[0] ?? 0
}

function toRouteSet(
  { routes, absent }: CompiledRoutes,
  overlays: readonly OverlayInput[],
): RouteSet {
  const router = createLazyRouter(routes)
  // Builds the router now rather than on first use, so that invalid paths are reported here.
  router()
  const shipped = new Set(shippedRoutes)
  return {
    changed: routes.filter((route) => !shipped.has(route) || absent.has(route)).map(({ id }) => id),
    routes: routes.filter((route) => !absent.has(route)),
    overlays,
    matcher: (isServed: (route: Route) => boolean) =>
      createRouteMatcher(routes, router, (route) => !absent.has(route) && isServed(route)),
  }
}

/** A value of the option `overlay`: an object, or the path of a YAML file. */
export type OverlaySource = string | Overlay

/**
 * Reads overlays in order. Strings are paths of files.
 *
 * @throws {SandboxError} with the file, the line and the fields of the route, or if a path is given
 * without a file system, for example in a browser
 */
export function readOverlaySources(sources: readonly OverlaySource[]): Promise<RouteSet> {
  return readOverlay(
    ...sources.map((source) =>
      typeof source === 'string' ? { text: readFile(source), source } : source,
    ),
  )
}

function readFile(path: string): string {
  const verb = `read the overlay (${quoteText(path, 200)})`
  if (path.includes('\n'))
    throw new SandboxError(
      `Failed to ${verb}: a path must be one line. Pass YAML to readOverlay of ` +
        'creator-api-sandbox/overlay.',
    )
  return readTextFile(path, {
    verb,
    advice: 'Set the path of a YAML file',
    browserAdvice:
      'Pass an object, or pass the content of the file to readOverlay of ' +
      'creator-api-sandbox/overlay',
  })
}
