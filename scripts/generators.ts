import type { GeneratedFile } from './generated-file.ts'
import { generateMedia } from './generate-media.ts'
import { generateVersion } from './generate-version.ts'

/**
 * Generates all files, in groups. The generators import sources that import generated files. In a
 * fresh clone, each group therefore needs the files of the groups before it.
 */
export async function* generateInGroups(): AsyncGenerator<GeneratedFile[]> {
  yield [...generateVersion(), ...generateMedia()]
  yield (await import('./generate-texts.ts')).generateTexts()
  yield (await import('./generate-scenarios.ts')).generateScenarios()
  yield await (await import('./generate-ready-rows.ts')).generateReadyRows()
  const groups = await Promise.all([
    import('./generate-entries.ts').then(({ generateEntries }) => generateEntries()),
    import('./generate-table-names.ts').then(({ generateTableNames }) => generateTableNames()),
    import('./generate-inputs.ts').then(({ generateInputs }) => generateInputs()),
    import('./generate-openapi.ts').then(({ generateOpenApi }) => generateOpenApi()),
    import('./generate-errors.ts').then(({ generateErrors }) => generateErrors()),
    import('./generate-routes.ts').then(({ generateRoutes }) => generateRoutes()),
    import('./generate-control.ts').then(({ generateControl }) => generateControl()),
    import('./generate-options.ts').then(({ generateOptions }) => generateOptions()),
    import('./generate-audit.ts').then(({ generateAudit }) => generateAudit()),
    import('./generate-variation.ts').then(({ generateVariation }) => generateVariation()),
    import('./generate-scenario-page.ts').then((module) => module.generateScenarioPage()),
    import('./generate-overlay-schema.ts').then((module) => module.generateOverlaySchema()),
    import('./generate-client-types.ts').then((module) => module.generateClientTypes()),
  ])
  yield groups.flat()
}
