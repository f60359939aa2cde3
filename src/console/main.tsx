import { render } from 'preact'
import { createApi } from './api.ts'
import { App } from './app.tsx'
import { StoreContext } from './hooks.ts'
import { createDirector } from './keyboard.ts'
import { createStore } from './store.ts'
import { applyTheme, storedTheme } from './theme.tsx'

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
