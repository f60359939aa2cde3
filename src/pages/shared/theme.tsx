import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const themeLabels: Readonly<Record<Theme, string>> = {
  auto: 'as the system',
  light: 'light',
  dark: 'dark',
}
const themeEvent = 'themechange'
const themeKey = 'creator-api-sandbox theme'

/** Returns the colour scheme chosen on the last visit. */
export function readStoredTheme(): Theme {
  const stored = localStorage.getItem(themeKey)
  return themes.find((theme) => theme === stored) ?? 'auto'
}

/** Applies a colour scheme to the page. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Applies a colour scheme and stores it for the next visit. */
export function saveTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme)
  applyTheme(theme)
  dispatchEvent(new Event(themeEvent))
}

/**
 * Button that cycles through the colour schemes: system, light, dark. With `isNamed`, it also shows
 * a label.
 */
export function ThemeButton({ isNamed = false }: { isNamed?: boolean }) {
  const [theme, setTheme] = useState(readStoredTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
  useEffect(() => {
    const update = () => setTheme(readStoredTheme())
    addEventListener(themeEvent, update)
    return () => removeEventListener(themeEvent, update)
  }, [])
  return (
    <button
      type="button"
      aria-label={`Colours: ${themeLabels[theme]}`}
      title={`Colours: ${themeLabels[theme]}`}
      onClick={() => saveTheme(next)}
    >
      <Icon name={theme} /> {isNamed && `Colours: ${themeLabels[theme]}`}
    </button>
  )
}
