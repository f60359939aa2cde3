import { readFileSync } from 'node:fs'
import { generateAudit } from './generate-audit.ts'
import { generateClientTypes } from './generate-client-types.ts'
import { generateControl } from './generate-control.ts'
import { generateDataReport } from './generate-data-report.ts'
import { generateEntries } from './generate-entries.ts'
import { generateInputs } from './generate-inputs.ts'
import { generateErrors } from './generate-errors.ts'
import { generateMedia, type GeneratedFile } from './generate-media.ts'
import { generateOpenApi } from './generate-openapi.ts'
import { generateRoutes } from './generate-routes.ts'
import { generateScenarioPage } from './generate-scenario-page.ts'
import { generateScenarios } from './generate-scenarios.ts'
import { generateTexts } from './generate-texts.ts'
import { generateVariation } from './generate-variation.ts'
import { generateVersion } from './generate-version.ts'

/** Every generator of the repository; a new one is added here and nowhere else. */
export const generators: readonly (() => GeneratedFile[] | Promise<GeneratedFile[]>)[] = [
  generateEntries,
  generateMedia,
  generateTexts,
  generateInputs,
  generateScenarios,
  generateOpenApi,
  generateErrors,
  generateRoutes,
  generateControl,
  generateAudit,
  generateVariation,
  generateScenarioPage,
  generateClientTypes,
  generateDataReport,
  generateVersion,
]

/** Returns the files that the generators produce now, in the order of the list. */
export async function generateFiles(): Promise<GeneratedFile[]> {
  return (await Promise.all(generators.map((generate) => generate()))).flat()
}

/** Tells where a path of a generated file is on this machine. */
export function toFileUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

/** Tells whether the file on disk is missing or differs from what its generator produces. */
export function isStale(file: GeneratedFile): boolean {
  return readText(file.path) !== file.content
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(toFileUrl(path), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined
    }
    throw error
  }
}
