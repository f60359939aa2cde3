import { generateAudit } from './generate-audit.ts'
import { generateClientTypes } from './generate-client-types.ts'
import { generateControl } from './generate-control.ts'
import { generateEntries } from './generate-entries.ts'
import { generateInputs } from './generate-inputs.ts'
import { generateErrors } from './generate-errors.ts'
import { generateMedia, type GeneratedFile } from './generate-media.ts'
import { generateOpenApi } from './generate-openapi.ts'
import { generateOptions } from './generate-options.ts'
import { generateOverlaySchema } from './generate-overlay-schema.ts'
import { generateReadyRows } from './generate-ready-rows.ts'
import { generateRoutes } from './generate-routes.ts'
import { generateScenarioPage } from './generate-scenario-page.ts'
import { generateScenarios } from './generate-scenarios.ts'
import { generateTableNames } from './generate-table-names.ts'
import { generateTexts } from './generate-texts.ts'
import { generateVariation } from './generate-variation.ts'
import { generateVersion } from './generate-version.ts'

export const generators: readonly (() => GeneratedFile[] | Promise<GeneratedFile[]>)[] = [
  generateEntries,
  generateMedia,
  generateTableNames,
  generateTexts,
  generateInputs,
  generateScenarios,
  generateReadyRows,
  generateOpenApi,
  generateErrors,
  generateRoutes,
  generateControl,
  generateOptions,
  generateAudit,
  generateVariation,
  generateScenarioPage,
  generateOverlaySchema,
  generateClientTypes,
  generateVersion,
]

/** Returns the current output of all generators, in the order of the list. */
export async function generateFiles(): Promise<GeneratedFile[]> {
  return (await Promise.all(generators.map((generate) => generate()))).flat()
}
