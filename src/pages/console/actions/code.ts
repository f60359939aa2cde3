import { getPageWorld } from '../../shared/api.ts'
import { getApiUrl, quoteForShell } from '../shared/request-export.ts'

/** Formats an action as code in each language. The JSON is also valid YAML. */
export function toActionCode(action: object): Record<string, string> {
  const json = JSON.stringify(action)
  return {
    TypeScript: `sandbox.act(${json})`,
    curl: toControlCurl('actions', json),
    'YAML step': `- { at: 0s, do: ${json} }`,
  }
}

/** Formats a fault as code in each language. */
export function toFaultCode(fault: object): Record<string, string> {
  const json = JSON.stringify(fault)
  return {
    TypeScript: `sandbox.faults.add(${json})`,
    curl: toControlCurl('faults', json),
    'YAML step': `- { at: 0s, do: ${JSON.stringify({ type: 'fault.add', ...fault })} }`,
  }
}

/** Formats a control plane request for the page's world as a curl command. */
function toControlCurl(path: string, json: string): string {
  const world = getPageWorld()
  const query = world === undefined ? '' : `?world=${encodeURIComponent(world)}`
  return (
    `curl -X POST -H 'Content-Type: application/json' --data-raw ${quoteForShell(json)} ` +
    quoteForShell(`${getApiUrl()}/_sandbox/${path}${query}`)
  )
}
