const url = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4010'

export default {
  client: {
    input: `${url}/openapi.json`,
    output: { target: 'generated/client.ts', client: 'fetch', baseUrl: url },
  },
  schemas: {
    input: `${url}/openapi.json`,
    output: { target: 'generated/schemas.ts', client: 'zod' },
  },
}
