import { createServer } from 'node:http'

// Upper limit: node:http, serialising a page of the given size for each request.
const page = JSON.parse(process.env['BENCH_PAGE'] ?? '{}') as unknown
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(page))
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
