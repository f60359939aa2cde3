import { useState } from 'preact/hooks'
import { CopyButton } from '../shared/copy-button.tsx'
import type { PreparedRequest } from './request.ts'
import { languages } from './code-samples.ts'
import type { Language } from './code-samples.ts'

const languageKey = 'creator-api-sandbox language'
const names = Object.keys(languages) as Language[]

/** Shows the filled-in request as code, in the language selected last. */
export function RequestCodeView({ request }: { request: PreparedRequest }) {
  const [language, setLanguage] = useState<Language>(
    () => names.find((name) => name === localStorage.getItem(languageKey)) ?? 'curl',
  )
  const choose = (name: Language) => {
    setLanguage(name)
    localStorage.setItem(languageKey, name)
  }
  const code = languages[language](request)
  return (
    <section class="panel" aria-label="Code">
      <header>
        <h3>Code</h3>
        <CopyButton text={code} what={`the code in ${language}`} />
      </header>
      <div class="choices" role="group" aria-label="Language">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === language}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <pre class="code scrolls" tabIndex={0} role="region" aria-label={`Code in ${language}`}>
        {code}
      </pre>
    </section>
  )
}
