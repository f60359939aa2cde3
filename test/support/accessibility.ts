import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Returns the axe findings for a page: rules, and the elements that violate them. */
export async function findAccessibilityIssues(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async () => {
    const { run } = (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
    ).axe
    const { violations } = await run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`),
    )
  })
}

/** Finds elements without a label, of the kinds that axe does not check. Runs in the page. */
export function findUnlabelledParts(): string[] {
  return [...document.querySelectorAll('meter, section, svg[role], [tabindex="0"]')]
    .filter((element) => {
      const { ariaLabel, labels } = element as HTMLMeterElement
      const label = document.querySelector(`[id="${element.getAttribute('aria-labelledby')}"]`)
      return [ariaLabel, label?.textContent, labels?.[0]?.textContent].every((name) => !name)
    })
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Finds text with a contrast below 4.5 : 1. Runs in the page. */
export function findLowContrast(): string[] {
  const parse = (color: string) =>
    (/rgba?\(([^)]+)\)/.exec(color)?.[1] ?? '0,0,0,0').split(/[\s,/]+/).map(Number)
  const luminance = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element: Element | null): readonly number[] => {
    if (element === null) return [255, 255, 255]
    const ground = parse(getComputedStyle(element).backgroundColor)
    return ground[3] === 0 ? groundOf(element.parentElement) : ground
  }
  const faint: string[] = []
  for (const element of document.querySelectorAll('#console *')) {
    const ownText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    )
    if (
      !ownText ||
      (element as HTMLElement).closest('.skip, option, :disabled, datalist, title') !== null
    )
      continue
    const style = getComputedStyle(element)
    const ink = luminance(parse(element instanceof SVGElement ? style.fill : style.color))
    const ground = luminance(groundOf(element))
    const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)
    if (ratio < 4.5) faint.push(`${element.textContent?.slice(0, 40)} ${ratio.toFixed(2)}`)
  }
  return faint
}
