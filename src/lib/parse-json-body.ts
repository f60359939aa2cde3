/** Maximum nesting depth of a request body. No route needs more than half of it. */
const deepest = 64

/**
 * Parses the JSON body of a request. Returns undefined if it is not JSON, or is nested so deeply
 * that recursion could overflow the stack.
 */
export function parseJsonBody(body: string | null): unknown {
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
