import { render } from 'preact'
import { App } from './app.tsx'
import { createApi } from '../shared/api.ts'
import { StoreContext } from '../shared/hooks.ts'
import { createStore } from '../shared/store.ts'
import { applyTheme, readStoredTheme } from '../shared/theme.tsx'
import { createStoryController } from './timeline/keyboard.ts'

applyTheme(readStoredTheme())
const store = createStore(createApi())
const director = createStoryController(store)
void store.follow()
const root = document.querySelector('#console')
if (root !== null) {
  render(
    <StoreContext.Provider value={store}>
      <App director={director} />
    </StoreContext.Provider>,
    root,
  )
}
