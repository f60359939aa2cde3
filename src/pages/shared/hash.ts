import { useEffect, useState } from 'preact/hooks'

/** Tracks the hash of the URL. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const update = () => setHash(location.hash)
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return hash
}

export function decodeHashPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Truncated percent-encoding matches nothing.
  }
}
