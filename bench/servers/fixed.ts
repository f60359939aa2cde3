import { createServer } from 'node:http'

// Upper limit: node:http, sending fixed bytes.
let answers: readonly Buffer[] = []
const server = createServer((request, response) => {
  const body = answers[Number(request.url?.slice(1))]
  request.resume()
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body?.length,
  })
  response.end(body)
})
process.on('message', (sent: readonly unknown[]) => {
  answers = sent.map((answer) => Buffer.from(JSON.stringify(answer)))
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
})
