import cors from 'cors'
import express from 'express'
import type { Express } from 'express'
import type { SiteOptions } from '../sandbox/site-options.ts'
import type { Site } from '../sandbox/site.ts'
import { createConsole } from './console.ts'
import { answer, readTarget, refuseHosts, safeHeaders, send, toHead } from './node.ts'
import { createReference } from './reference.ts'

/** The part of a sandbox that the app needs. */
export interface Hosted {
  /** The API keys by role. The reference page fills in the one of the owner, or else the first. */
  readonly keys: Readonly<Record<string, string>>
  openSite: (options: SiteOptions) => Site
}

/**
 * Creates an Express app of a sandbox: the API, the control plane and its console under `/_sandbox/`, the reference at `/docs`, and CORS
 * for browser clients. You can mount it under a path of your own app. Then `sandbox.baseUrl` must contain that path.
 *
 * @example
 * createApp(createSandbox()).listen(4010)
 */
export function createApp(sandbox: Hosted, options: SiteOptions = {}): Express {
  const site = sandbox.openSite(options)
  const shareWithPages = cors({ origin: true, exposedHeaders: ['accept-ranges', 'content-length', 'content-range', 'etag'], maxAge: 600 })
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  const reference = createReference(() => sandbox.keys['owner'] ?? Object.values(sandbox.keys)[0] ?? '', site.turnAway)
  const openConsole = createConsole(site.turnAway)
  app.use((request, response, next) => {
    response.set(safeHeaders)
    const refused = refuseHosts(request)
    readTarget(request)
    const reply = refused ?? reference(request) ?? openConsole(request)
    if (reply === undefined) next()
    else send(response, reply)
  })
  app.use((request, response, next) => {
    if (request.headers.origin !== undefined && site.isShared(toHead(request))) shareWithPages(request, response, next)
    else next()
  })
  app.use((request, response) => answer(request, response, { ...site, parsed: request.body }))
  return app
}
