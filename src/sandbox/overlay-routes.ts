import { importModules } from '../lib/import-modules.ts'
import type { RouteSet } from '../api/route.ts'
import type { SandboxOptions } from '../generated/inputs.ts'
import type { OverlaySource } from '../overlay/overlay.ts'
import { isObject } from '../lib/plain-json.ts'

/** The option `overlay`: one or more overlays in order, or the result of `readOverlay`. */
export type OverlayChoice = NonNullable<SandboxOptions['overlay']>

/**
 * True if a value's type is valid for the option `overlay`. Its content is validated when it is
 * read.
 */
export function isOverlayOption(value: unknown): value is OverlayChoice {
  const isSource = (each: unknown) =>
    isPath(each) || (isObject(each) && 'routes' in each && !('matcher' in each))
  if (Array.isArray(value))
    return value.length > 0 && value.length <= maxOverlays && value.every(isSource)
  return isSource(value) || (isObject(value) && isRouteSet(value))
}

const maxOverlays = 20

/** A sandbox's routes with its overlays, read once and shared by all its worlds. */
export class OverlayRoutes {
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

  /** The routes with overlays applied. Undefined if there is no overlay or it is not read yet. */
  get routes(): RouteSet | undefined {
    return this.#routes
  }

  /** True if some overlays have not been read yet. */
  get isPending(): boolean {
    return this.#routes === undefined && this.#sources.length > 0
  }

  /**
   * Reads the overlays if needed.
   *
   * @throws {SandboxError} for the same reasons as `readOverlay`
   */
  read(): Promise<void> | undefined {
    return this.isPending ? (this.#reading ??= this.#read()) : undefined
  }

  async #read(): Promise<void> {
    const { readOverlaySources } = await importModules(() => import('../overlay/overlay.ts'))
    this.#routes = await readOverlaySources(this.#sources)
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isRouteSet(value: object): value is RouteSet {
  return typeof (value as Partial<RouteSet>).matcher === 'function'
}
