import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

const url = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4010'

export default defineConfig({
  input: { path: `${url}/openapi.json` },
  // Omits .ts in imports, for compilers that do not allow it.
  output: {
    path: './generated',
    clean: true,
    extension: { '.ts': '' },
    format: false,
    lint: false,
  },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs(),
    // full: a function returns the status next to the data. This client never throws.
    pluginClient({ client: 'fetch', bundle: true, baseURL: url, dataReturnType: 'full' }),
  ],
})
