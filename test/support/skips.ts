import { browserPath, hasBrowser } from './browser.ts'

/** Says at the very end of the output what was skipped, and what to do about it. */
export default function setup(): () => void {
  return () => {
    if (!hasBrowser())
      process.on('exit', () =>
        process.stderr.write(
          `\nSKIPPED: the browser tests, for there is no Chromium at ${browserPath}. Install it, or set CHROMIUM_PATH.\n\n`,
        ),
      )
  }
}
