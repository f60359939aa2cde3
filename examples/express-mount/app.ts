import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import type { Express } from 'express'

/** A development server with your own page and with the API under `/creator-api`. */
export function createDevelopmentServer(sandbox: Sandbox): Express {
  const app = express()
  app.use(express.json())
  app.get('/', (_request, response) => {
    response.type('html').send(`<h1>${sandbox.db.accounts.size} accounts</h1>`)
  })
  app.use('/creator-api', createApp(sandbox))
  return app
}
