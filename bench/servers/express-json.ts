import { createServer } from 'node:http'
import express from 'express'

// Baseline for the route table: Express 5, with JSON.stringify for responses and express.json() for
// request bodies.
let answers: readonly unknown[] = []
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use(express.json())
app.use((request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(answers[Number(request.url.slice(1))]))
})
const server = createServer(app)
process.on('message', (sent: readonly unknown[]) => {
  answers = sent
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
})
