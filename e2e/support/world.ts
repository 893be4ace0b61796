import fs from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Language } from '#entities/define/language.ts'
import { runningEmbeddedUrl } from '#server/platform/postgres/embedded-postgres.ts'
import { isWhole, randomOf } from '#testing/form.ts'
import { findChromium, findHeadlessChromium } from '../../scripts/tests/browsers.mjs'
import { menuOfFrame, violationsOf } from './axe.ts'
import { newDemoFolder } from './demo-folder.ts'
import { startServer } from './server.ts'
import { settled } from './settled.ts'
import { sharedServer } from './shared-server.ts'

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
  // Optimising takes a third of the CPU, and no page of a journey lives long enough to benefit.
  '--js-flags=--no-opt --no-maglev',
]

export type World = {
  url: string
  /** Output of the server, once it matches; only for a product started here. */
  printed(pattern: RegExp): Promise<string>
  /** Kills the product with SIGKILL and starts it again on the same data and port; only for a product started here. */
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** Connection string of the product's database, for changes a journey cannot wait for. */
  databaseUrl: string
  /** A person at a device: a browser context with its own storage, language and width. */
  person(options: { width: number; language: Language }): Promise<Person>
  /** Runs a journey; if it fails, reports what each person saw and saves a screenshot of it under .data/e2e. */
  keepPicturesOnFailure(name: string, people: readonly Person[], journey: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type Person = {
  page: Page
  context: BrowserContext
  /**
   * Waits until the page has settled; fails if it scrolls sideways or had an error. Axe checks it, on phones in the
   * light theme and on computers in the dark one: always in the whole form; in the quick form, where `look` checks
   * every page, one check in eight, different ones each day, and always those with `withAxe`.
   */
  checkPage(name: string, options?: { withAxe?: boolean }): Promise<void>
}

type WorldOptions = {
  /** Additional settings of the product, which then gets its own server. */
  settings?: Record<string, string>
  /** For a journey that kills the server. */
  ownServer?: boolean
  /** Additional Chromium flags, which then get their own browser. */
  browserFlags?: string[]
}

/** The freshly filled demo, on this worker's server and browser unless the options require others. */
export async function openWorld({ settings, ownServer, browserFlags }: WorldOptions = {}): Promise<World> {
  if (settings || ownServer) return openOwnWorld(settings ?? {}, browserFlags ?? [])
  const { server, databaseUrl } = await sharedServer()
  return attachWorld(server.url, databaseUrl, browserFlags)
}

/** Starts the product on its own data folder; by default a demo. */
async function openOwnWorld(settings: Record<string, string>, browserFlags: string[]): Promise<World> {
  const dataDir = newDemoFolder({ isEmpty: Boolean(settings.DATABASE_URL) || settings.DEMO_HISTORY === 'true' })
  const server = await startServer(dataDir, settings)
  const world = await attachWorld(server.url, settings.DATABASE_URL ?? runningEmbeddedUrl(dataDir, 'pmb'), browserFlags)
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

let sharedBrowser: Promise<Browser> | undefined

/** For scripts. In Vitest the browser ends with its worker. */
export const closeBrowser = async () => (await sharedBrowser)?.close()

function launchBrowser(browserFlags: readonly string[]) {
  // Flags are for a camera, which only the full browser has.
  const executablePath = browserFlags.length > 0 ? findChromium() : findHeadlessChromium()
  if (!executablePath) throw new Error('No Chromium found: install the package chromium')
  return chromium.launch({ executablePath, args: [...flags, ...browserFlags] })
}

/** The next world gets another browser if this one fails to start or crashes. */
async function launchSharedBrowser(): Promise<Browser> {
  const forget = () => {
    sharedBrowser = undefined
  }
  try {
    const browser = await launchBrowser([])
    browser.on('disconnected', forget)
    return browser
  } catch (error) {
    forget()
    throw error
  }
}

/** Opens contexts for a product that already runs; closing the world closes them. */
export async function attachWorld(
  url: string,
  databaseUrl: string,
  browserFlags: readonly string[] = [],
): Promise<World> {
  const isShared = browserFlags.length === 0
  if (isShared) sharedBrowser ??= launchSharedBrowser()
  const browser = await (isShared ? sharedBrowser! : launchBrowser(browserFlags))
  const contexts: BrowserContext[] = []
  return {
    url,
    printed: () => Promise.reject(new Error('The output of another process is not known')),
    kill: () => Promise.reject(new Error('Another process is not ended')),
    startAgain: () => Promise.reject(new Error('Another process is not started')),
    databaseUrl,
    async person(options) {
      const person = await newPerson(browser, url, options)
      contexts.push(person.context)
      return person
    },
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
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      if (!isShared) await browser.close()
    },
  }
}

async function newPerson(
  browser: Browser,
  url: string,
  { width, language }: { width: number; language: Language },
): Promise<Person> {
  // The walk over all pages checks both themes at both widths.
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
  // A machine busy with other tests takes longer.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const complaints: string[] = []
  let hasJudgedMenu = false
  page.on('pageerror', (error) => complaints.push(String(error)))

  async function judge(name: string) {
    await stillFrames(page)
    // The menu is the same on all pages of a person.
    const violations = await violationsOf(page, hasJudgedMenu ? [menuOfFrame] : [])
    hasJudgedMenu ||= (await page.locator(menuOfFrame).count()) > 0
    const failures = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`,
    )
    if (failures.length > 0) throw new Error(`${name} in ${colorScheme}:\n${failures.join('\n')}`)
  }

  return {
    page,
    context,
    async checkPage(name, { withAxe = isWhole || randomOf(name)() < 1 / 8 } = {}) {
      await settled(page, isWhole ? 250 : 100)
      if (withAxe) await judge(name)
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (sideways > 1) throw new Error(`${name} scrolls sideways by ${sideways} px`)
      if (complaints.length > 0) throw new Error(`${name} complained: ${complaints.join('\n')}`)
    },
  }
}

/**
 * Waits until no transition has run for ten frames, because axe would judge colours between two themes or in a
 * half-faded dialog. An endless transition delays this by at most five seconds.
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
