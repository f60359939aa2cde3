import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

const url = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4010'

export default defineConfig({
  input: { path: `${url}/openapi.json` },
  // Imports without the ending .ts, for a compiler that does not allow it.
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
    // full: a function returns the status beside the data. This client throws at no status.
    pluginClient({ client: 'fetch', bundle: true, baseURL: url, dataReturnType: 'full' }),
  ],
})
