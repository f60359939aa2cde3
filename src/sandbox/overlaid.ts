import type { RouteSet } from '../api/route.ts'
import type { SandboxOptions } from '../generated/inputs.ts'
import type { OverlaySource } from '../overlay/sources.ts'

/**
 * What the option `overlay` takes: overlays in their order, or routes that `readOverlay` made of
 * some.
 */
export type OverlayChoice = NonNullable<SandboxOptions['overlay']>

/**
 * Whether a value may be what the option `overlay` takes. What an overlay says is checked when it
 * is read.
 */
export function isOverlayChoice(value: unknown): value is OverlayChoice {
  const isSource = (each: unknown) =>
    isPath(each) || (isObject(each) && 'routes' in each && !('matcher' in each))
  if (Array.isArray(value))
    return value.length > 0 && value.length <= maxOverlays && value.every(isSource)
  return isSource(value) || (isObject(value) && isRouteSet(value))
}

const maxOverlays = 20

/** What overlays make of the routes of a sandbox. All its worlds share it, and it is read once. */
export class Overlaid {
  readonly #sources: readonly OverlaySource[]
  #routes: RouteSet | undefined
  #reading: Promise<void> | undefined

  constructor(choice: OverlayChoice | undefined) {
    if (isObject(choice) && isRouteSet(choice)) this.#routes = choice
    this.#sources =
      choice === undefined || this.#routes !== undefined
        ? []
        : ([choice].flat() as readonly OverlaySource[])
  }

  /** The routes; undefined without an overlay, and until they are read. */
  get routes(): RouteSet | undefined {
    return this.#routes
  }

  /** Whether the routes are still to be read. */
  get isPending(): boolean {
    return this.#routes === undefined && this.#sources.length > 0
  }

  /**
   * Reads them; undefined where there is nothing to read. @throws {SandboxError} as `readOverlay`
   * does.
   */
  read(): Promise<void> | undefined {
    return this.isPending ? (this.#reading ??= this.#read()) : undefined
  }

  async #read(): Promise<void> {
    const { readOverlaySources } = await import('../overlay/sources.ts')
    this.#routes = await readOverlaySources(this.#sources)
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRouteSet(value: object): value is RouteSet {
  return typeof (value as Partial<RouteSet>).matcher === 'function'
}
