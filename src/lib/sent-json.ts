/** How deep a body may be nested. No route takes one that is half as deep. */
const deepest = 64

/**
 * Reads a body that somebody sent as JSON; undefined where it is none. One that is nested deeper
 * than any body that a route takes counts as none: to walk it, or to write it once more, would need
 * more of the stack than there is.
 */
export function readSentJson(body: string | null): unknown {
  if (body === null || isTooDeep(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function isTooDeep(json: string): boolean {
  if (json.length <= deepest) return false
  let depth = 0
  let isInText = false
  for (let place = 0; place < json.length; place += 1) {
    const character = json[place]
    if (isInText) {
      if (character === '\\') place += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > deepest) return true
  }
  return false
}
