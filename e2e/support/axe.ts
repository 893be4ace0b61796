import fs from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

type Violation = { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }
type Axe = { run(context: { exclude: string[][] }, options: object): Promise<{ violations: Violation[] }> }

const requireHere = createRequire(import.meta.url)
const axeFile = requireHere.resolve('axe-core/axe.min.js', { paths: [requireHere.resolve('@axe-core/playwright')] })
const axeSource = fs.readFileSync(axeFile, 'utf8')

/** The menu, the same on all pages of an account. */
export const menuOfFrame = 'aside nav'

/**
 * Axe violations outside the excluded elements. `AxeBuilder` sends its half a megabyte to the browser for every run and
 * also gathers passed rules; here axe stays in the document while the app moves between pages.
 */
export async function violationsOf(page: Page, exclude: readonly string[]): Promise<Violation[]> {
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page }).setLegacyMode(true)
    for (const selector of exclude) builder.exclude(selector)
    return (await builder.analyze()).violations as Violation[]
  }
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async (selectors) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run(
      { exclude: selectors.map((selector) => [selector]) },
      // Only disabled rules need style sheets; reading them takes a sixth of the time.
      { resultTypes: ['violations'], preload: { assets: ['media'] } },
    )
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary = '' }) => ({ target, failureSummary })),
    }))
  }, exclude)
}
