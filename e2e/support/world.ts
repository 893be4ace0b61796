import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Language } from '#entities/define/language.ts'
import { menuOfFrame, violationsOf } from './axe.ts'
import { copyDemo } from './demo-folder.ts'
import { startServer } from './server.ts'
import { settled } from './settled.ts'

/** Chromium as Debian installs it; the flags keep it quiet and let it run as root. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type World = {
  url: string
  /** What the server has printed, once it matches; only for a product started here. */
  printed(pattern: RegExp): Promise<string>
  /** Ends the product with SIGKILL, and starts it again on the same data and port; only for a product started here. */
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** Connection string of the product's database, for changes a journey cannot wait for. */
  databaseUrl: string
  /** A person at a device: a browser context with its own storage, language and width. */
  person(options: { width: number; language: Language }): Promise<Person>
  /** Runs a journey; if it fails, says what each person saw and saves a screenshot of it under .data/e2e. */
  keepPicturesOnFailure(name: string, people: readonly Person[], journey: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type Person = {
  page: Page
  context: BrowserContext
  /** Looks at the page with axe, phones in light and computers in dark, and fails on any violation or console error. */
  checkPage(name: string): Promise<void>
}

/** Starts the product on a data folder of its own, by default as a demo, and a browser with further flags. */
export async function openWorld(settings: Record<string, string> = {}, browserFlags: string[] = []): Promise<World> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-e2e-'))
  if (!settings.DATABASE_URL && settings.DEMO_HISTORY !== 'true') copyDemo(dataDir)
  const server = await startServer(dataDir, settings)
  const world = await attachWorld(
    server.url,
    settings.DATABASE_URL ?? `postgresql://postgres@/pmb?host=${path.join(dataDir, 'postgres/socket')}`,
    browserFlags,
  )
  return {
    ...world,
    printed: server.printed,
    kill: server.kill,
    startAgain: server.startAgain,
    async close() {
      await world.close()
      await server.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts a browser for a product that already runs. */
export async function attachWorld(url: string, databaseUrl: string, browserFlags: string[] = []): Promise<World> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...flags, ...browserFlags] })
  return {
    url,
    printed: () => Promise.reject(new Error('The output of another process is not known')),
    kill: () => Promise.reject(new Error('Another process is not ended')),
    startAgain: () => Promise.reject(new Error('Another process is not started')),
    databaseUrl,
    person: (options) => newPerson(browser, url, options),
    async keepPicturesOnFailure(name, people, journey) {
      try {
        await journey()
      } catch (error) {
        const seen: string[] = []
        for (const [index, { page }] of people.entries()) {
          await page.screenshot({ path: `.data/e2e/${name}-${index + 1}.png` }).catch(() => {})
          seen.push(`${page.url()}\n${await page.getByRole('main').ariaSnapshot({ timeout: 5_000 }).catch(String)}`)
        }
        throw new Error(`A person of ${name} could not go on: ${error}\nWhat each saw:\n${seen.join('\n\n')}`, {
          cause: error,
        })
      }
    },
    close: () => browser.close(),
  }
}

function chromiumPath(): string {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
    fs.existsSync(file),
  )
  if (!found) throw new Error('No Chromium found: install the package chromium')
  return found
}

async function newPerson(
  browser: Browser,
  url: string,
  { width, language }: { width: number; language: Language },
): Promise<Person> {
  // The walk over all pages looks at both themes at both widths.
  const colorScheme = width < 600 ? 'light' : 'dark'
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width < 600 ? 780 : 900 },
    locale: language === 'id' ? 'id-ID' : 'en-GB',
    timezoneId: 'Asia/Jakarta',
    reducedMotion: 'reduce',
    colorScheme,
    hasTouch: width < 600,
  })
  // A machine that is busy with other tests takes its time.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const complaints: string[] = []
  let hasJudgedMenu = false
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    page,
    context,
    async checkPage(name) {
      await settled(page)
      await stillFrames(page)
      // The menu is the same on all pages of a person.
      const violations = await violationsOf(page, hasJudgedMenu ? [menuOfFrame] : [])
      hasJudgedMenu ||= (await page.locator(menuOfFrame).count()) > 0
      const failures = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
      )
      if (failures.length > 0) throw new Error(`${name} in ${colorScheme}:\n${failures.join('\n')}`)
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (sideways > 1) throw new Error(`${name} scrolls sideways by ${sideways} px`)
      if (complaints.length > 0) throw new Error(`${name} complained: ${complaints.join('\n')}`)
    },
  }
}

/**
 * Waits until no transition has run for ten frames: axe would judge colours between two themes or of a half-faded dialog. A
 * transition that never ends holds nobody up for more than five seconds.
 */
const stillFrames = (page: Page) =>
  page.evaluate(async () => {
    const end = performance.now() + 5_000
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    for (let still = 0; still < 10 && performance.now() < end; still++) {
      await Promise.race([new Promise(requestAnimationFrame), pause(500)])
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
      if (transitions.length > 0) still = 0
      await Promise.race([Promise.allSettled(transitions.map(({ finished }) => finished)), pause(500)])
    }
  })
