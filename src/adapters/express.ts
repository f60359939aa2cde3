import cors from 'cors'
import express from 'express'
import type { Express } from 'express'
import type { Site, SiteOptions } from '../site.ts'
import { answer } from './node.ts'

/** Whatever opens a site: a sandbox. */
export interface Hosted {
  openSite: (options: SiteOptions) => Site
}

/**
 * Makes an Express app of a sandbox: the API, the control plane under `/_sandbox/`, and CORS for browser clients. It can be
 * mounted under a path of an app of your own; `sandbox.baseUrl` then has to name that path too.
 *
 * @example
 * createApp(createSandbox()).listen(4010)
 */
export function createApp(sandbox: Hosted, options: SiteOptions = {}): Express {
  const site = sandbox.openSite(options)
  const shareWithPages = cors({ exposedHeaders: ['accept-ranges', 'content-length', 'content-range'], maxAge: 600 })
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use((request, response, next) => {
    if (request.headers.origin === undefined || site.isControl(request.url)) next()
    else shareWithPages(request, response, next)
  })
  app.use((request, response) => answer(request, response, { ...site, parsed: request.body }))
  return app
}
