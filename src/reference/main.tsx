import { render } from 'preact'
import { createApi } from '../console/shared/api.ts'
import { applyTheme, readStoredTheme } from '../console/shared/theme.tsx'
import { App } from './app.tsx'

applyTheme(readStoredTheme())
const root = document.querySelector('#documents')
if (root !== null) render(<App api={createApi()} />, root)
