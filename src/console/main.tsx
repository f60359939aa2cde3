import { render } from 'preact'
import { App } from './app.tsx'
import { createApi } from './shared/api.ts'
import { StoreContext } from './shared/hooks.ts'
import { createStore } from './shared/store.ts'
import { applyTheme, storedTheme } from './shared/theme.tsx'
import { createDirector } from './timeline/keyboard.ts'

applyTheme(storedTheme())
const store = createStore(createApi())
const director = createDirector(store)
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
