import { useEffect, useRef, useState } from 'preact/hooks'
import { shortenTimestamps, formatCount } from '../../shared/format.ts'
import type { Replay } from '../../shared/types.ts'

/** Warns about dropped changes and failed steps of the story. */
export function StoryWarnings({ replay: { warning, problems, status } }: { replay: Replay }) {
  const passed = usePassedWarning(warning, status)
  return (
    <div class="remarks" role="status">
      {warning !== null && warning !== passed && (
        <p class="warning">{shortenTimestamps(warning)}</p>
      )}
      {problems.length > 0 && (
        <details class="warning">
          <summary>{formatCount(problems.length, 'step')} failed</summary>
          <ul>
            {problems.slice(-20).map((problem, index) => (
              <li key={index}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/**
 * Returns the warning that was shown when the story was last started. It is not shown again,
 * because the user has already read it.
 */
function usePassedWarning(warning: string | null, status: Replay['status']): string | null {
  const [passed, setPassed] = useState<string | null>(null)
  const before = useRef(warning)
  useEffect(() => {
    if (status === 'playing') setPassed(before.current)
  }, [status])
  useEffect(() => {
    before.current = warning
  }, [warning])
  return passed
}
