import { getPageWorld } from '../shared/api.ts'
import { getApiUrl, quoteForShell } from '../shared/request-export.ts'

/** An action as code, by language. JSON is valid YAML. */
export function toActionCode(action: object): Record<string, string> {
  const json = JSON.stringify(action)
  return {
    TypeScript: `sandbox.act(${json})`,
    curl: toControlCurl('actions', json),
    'YAML step': `- { at: 0s, do: ${json} }`,
  }
}

/** A fault as code, by language. */
export function toFaultCode(fault: object): Record<string, string> {
  const json = JSON.stringify(fault)
  return {
    TypeScript: `sandbox.faults.add(${json})`,
    curl: toControlCurl('faults', json),
    'YAML step': `- { at: 0s, do: ${JSON.stringify({ type: 'fault.add', ...fault })} }`,
  }
}

/** A request to the control plane as a curl command, for the page's world. */
function toControlCurl(path: string, json: string): string {
  const world = getPageWorld()
  const query = world === undefined ? '' : `?world=${encodeURIComponent(world)}`
  return (
    `curl -X POST -H 'Content-Type: application/json' --data-raw ${quoteForShell(json)} ` +
    quoteForShell(`${getApiUrl()}/_sandbox/${path}${query}`)
  )
}
