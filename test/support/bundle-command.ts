import { bundleLibrary } from '../../scripts/bundle.ts'

/**
 * Bundles the command once for all tests that start it, because the bundle starts in a third of the
 * time that the sources take.
 */
export default async function setup(): Promise<void> {
  await bundleLibrary()
}
