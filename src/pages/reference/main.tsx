import { render } from 'preact'
import { createApi } from '../shared/api.ts'
import { applyTheme, readStoredTheme } from '../shared/theme.tsx'
import { App } from './app.tsx'

applyTheme(readStoredTheme())
const root = document.querySelector('#documents')
if (root !== null) render(<App api={createApi()} />, root)
