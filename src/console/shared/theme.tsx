import { useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const labels: Readonly<Record<Theme, string>> = {
  auto: 'as the system',
  light: 'light',
  dark: 'dark',
}
const themeKey = 'creator-api-sandbox theme'

/** The colour scheme from the last visit. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(themeKey)
  return themes.find((theme) => theme === stored) ?? 'auto'
}

/** Applies a colour scheme to the page. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Switches between the colours of the system, light and dark. `isNamed` shows the words too. */
export function ThemeButton({ isNamed = false }: { isNamed?: boolean }) {
  const [theme, setTheme] = useState(storedTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
  const choose = () => {
    setTheme(next)
    applyTheme(next)
    localStorage.setItem(themeKey, next)
  }
  return (
    <button
      type="button"
      aria-label={`Colours: ${labels[theme]}`}
      title={`Colours: ${labels[theme]}`}
      onClick={choose}
    >
      <Icon name={theme} /> {isNamed && `Colours: ${labels[theme]}`}
    </button>
  )
}
