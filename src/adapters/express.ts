import cors from 'cors'
import express from 'express'
import type { Express } from 'express'
import type { Pace } from '../engine/work.ts'
import type { Site, SiteOptions } from '../sandbox/site.ts'
import { createConsole } from './console.ts'
import { answer, readTarget, send } from './node.ts'
import { nodePace } from './pace.ts'
import { createReference } from './reference.ts'

/** The part of a sandbox that the app needs. */
export interface Hosted {
  /** The API keys by role. The reference page fills in the one of the owner, or else the first. */
  readonly keys: Readonly<Record<string, string>>
  openSite: (options: SiteOptions & { pace?: Pace }) => Site
}

/**
 * Creates an Express app of a sandbox: the API, the control plane and its console under `/_sandbox/`, the reference at `/docs`, and CORS
 * for browser clients. You can mount it under a path of your own app. Then `sandbox.baseUrl` must contain that path.
 *
 * @example
 * createApp(createSandbox()).listen(4010)
 */
export function createApp(sandbox: Hosted, options: SiteOptions = {}): Express {
  const site = sandbox.openSite({ ...options, pace: nodePace })
  const shareWithPages = cors({ exposedHeaders: ['accept-ranges', 'content-length', 'content-range', 'etag'], maxAge: 600 })
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  const reference = createReference(() => sandbox.keys['owner'] ?? Object.values(sandbox.keys)[0] ?? '')
  const openConsole = createConsole(site.turnAway)
  app.use((request, response, next) => {
    readTarget(request)
    const reply = reference(request) ?? openConsole(request)
    if (reply === undefined) next()
    else send(response, reply)
  })
  app.use((request, response, next) => {
    if (request.headers.origin === undefined || site.isControl(request.url)) next()
    else shareWithPages(request, response, next)
  })
  app.use((request, response) => answer(request, response, { ...site, parsed: request.body }))
  return app
}
