import { z } from 'zod'
import { Overlay } from '../src/overlay/format.ts'
import { formatJson } from './generated-file.ts'
import type { GeneratedFile } from './generated-file.ts'

/** Generates the overlay schema for editors, in the JSON Schema draft that all editors support. */
export function generateOverlaySchema(): GeneratedFile[] {
  const schema = z.toJSONSchema(Overlay, { io: 'input', target: 'draft-7' })
  return [{ path: 'docs/overlay.schema.json', content: formatJson(schema) }]
}
