import { useState } from 'preact/hooks'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const labels: Readonly<Record<Theme, string>> = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
}
const themeKey = 'creator-api-sandbox theme'

/** The colours that the user chose before. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(themeKey)
  return themes.find((theme) => theme === stored) ?? 'auto'
}

/** Shows the page in these colours. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Chooses light or dark colours. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    applyTheme(next)
    localStorage.setItem(themeKey, next)
  }
  return (
    <label class="inline">
      Colours{' '}
      <select value={theme} onChange={(event) => choose(event.currentTarget.value as Theme)}>
        {themes.map((each) => (
          <option key={each} value={each}>
            {labels[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
