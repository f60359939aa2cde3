import { createServer } from 'node:http'
import express from 'express'

// Baseline: Express 5, sending a string of the given size.
const body = process.env['BENCH_PAGE'] ?? '{}'
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use((_request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(body)
})
const server = createServer(app)
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
