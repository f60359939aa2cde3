import { trials } from '../src/variation/trials.ts'
import type { Trial } from '../src/variation/trials.ts'
import type { GeneratedFile } from './generated-file.ts'
import { updatePage } from './markdown.ts'

/**
 * Generates the variations and bad days of the page about variation. For each, it states the effect,
 * which clients fail, and the source.
 */
export function generateVariation(): GeneratedFile[] {
  return [
    updatePage('docs/variation.md', {
      '## Variations': describeAll('variation'),
      '## Bad days': describeAll('bad-day'),
    }),
  ]
}

function describeAll(kind: Trial['kind']): string {
  return trials
    .filter((trial) => trial.kind === kind)
    .map(describe)
    .join('\n')
}

function describe({ name, does, breaks, source }: Trial): string {
  return `### \`${name}\`\n\n${does} *Breaks:* ${lowerFirstLetter(breaks)} (${source})\n`
}

function lowerFirstLetter(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
