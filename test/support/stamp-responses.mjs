import { ServerResponse } from 'node:http'

// Adds the time at which a server sends a response. On a busy machine, clients receive responses
// late, so their own times say nothing about the server.
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (...rest) {
  this.setHeader('x-sent-at', String(Date.now()))
  return writeHead.apply(this, rest)
}
