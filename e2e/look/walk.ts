import fs from 'node:fs'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { storageKeys } from '#domain/navigation/constants.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { demoPassword } from '#seeds/demo/university.ts'
import { isWhole, seed } from '#testing/form.ts'
import { allPages } from '#web/app/all-pages.mjs'
import { menuOfFrame, violationsOf } from '../support/axe.ts'
import { goTo } from '../support/go-to.ts'
import { settled } from '../support/settled.ts'
import type { World } from '../support/world.ts'
import { addressOf, type Lookup } from './demo-rows.ts'
import { faultsOfPage } from './faults.ts'

export type Look = { width: 360 | 1280; language: Language; theme: 'light' | 'dark'; rootFontPx: 16 | 24 }

/** The sixteen combinations each page is opened in. */
export const looks: readonly Look[] = ([360, 1280] as const).flatMap((width) =>
  languages.flatMap((language) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      ([16, 24] as const).map((rootFontPx) => ({ width, language, theme, rootFontPx })),
    ),
  ),
)

/** A page to open: by whom, its declared path, and its address in the demo. */
export type Stop = { who: string; email: string | null; path: string; address: string }

/** Accounts that open the pages: one per role, and an applicant at every stage; null is a visitor without an account. */
const walkers: readonly { who: string; email: string | null | { status: string; decision?: string } }[] = [
  { who: 'visitor', email: null },
  { who: 'administrator', email: 'administrator@demo.test' },
  { who: 'panitia', email: 'panitia@demo.test' },
  { who: 'keuangan', email: 'keuangan@demo.test' },
  { who: 'marketing', email: 'marketing@demo.test' },
  { who: 'pimpinan', email: 'pimpinan@demo.test' },
  { who: 'afiliator', email: 'afiliator@demo.test' },
  { who: 'mahasiswa', email: 'mahasiswa@demo.test' },
  ...(['draft', 'submitted', 'paid', 'verified', 'confirmed', 'enrolled'] as const).map((status) => ({
    who: `applicant-${status}`,
    email: { status },
  })),
  { who: 'applicant-accepted', email: { status: 'decided', decision: 'accepted' } },
  { who: 'applicant-rejected', email: { status: 'decided', decision: 'not_accepted' } },
]

const ofVisitors = allPages.filter(
  ({ access, layout }) => access === 'public' && (layout === 'auth' || layout === 'public'),
)
/** Pages that redirect signed-in users are opened only by visitors. */
const behindSignIn = allPages.filter((page) => !ofVisitors.includes(page))
const ofApplicants = behindSignIn.filter(({ path }) =>
  /^\/(dashboard|account|pendaftaran|konfirmasi-kelulusan|verify-email|chat\/private-chat$|apps\/chat\/drawer-chat)/.test(
    path,
  ),
)

/** Lists with an active search. */
const narrowed = [
  '/pendaftaran?q=a&status=verified',
  '/pembayaran-mahasiswa?q=a&from=2026-01-01',
  '/master/prodi?q=a&active=true',
]

/**
 * Every page of every role with ids of the demo university; throws with the names of screens the demo has no row for.
 */
export async function stopsOf(lookup: Lookup): Promise<Stop[]> {
  const stops: Stop[] = []
  const pathsWithoutRow = new Set<string>()
  for (const { who, email } of walkers) {
    if (typeof email === 'string' || email === null) {
      const pages = email === null ? ofVisitors : who === 'mahasiswa' ? ofApplicants : behindSignIn
      for (const { path, access } of pages) {
        if (email !== null && !(await mayOpen(lookup, email, access))) continue
        const own = email !== null && who === 'mahasiswa' ? ownRegistration(email) : null
        const address = own ? await addressOfOwn(path, own, lookup) : await addressOf(path, lookup)
        if (address) stops.push({ who, email, path, address })
        else pathsWithoutRow.add(path)
      }
      continue
    }
    const decision = email.decision ? `AND r.decision = '${email.decision}'` : ''
    const query = `SELECT a.email FROM registrations r JOIN accounts a ON a.id = r.account_id
      WHERE r.status = '${email.status}' ${decision} AND a.email <> 'mahasiswa@demo.test' ORDER BY r.code LIMIT 1`
    const address = await lookup(query)
    if (!address) throw new Error(`The demo university has no applicant of status ${email.status}`)
    for (const { path } of ofApplicants.filter(({ path }) =>
      /^\/(dashboard|pendaftaran\/:id|konfirmasi|account\/overview)/.test(path),
    ))
      stops.push({ who, email: address, path, address: (await addressOfOwn(path, ownRegistration(address), lookup))! })
  }
  for (const address of narrowed)
    stops.push({ who: 'administrator', email: 'administrator@demo.test', path: address.split('?')[0]!, address })
  if (pathsWithoutRow.size > 0) throw new Error(`The demo university has no row for ${[...pathsWithoutRow].join(', ')}`)
  return stops
}

const ownRegistration = (email: string) =>
  `SELECT r.id FROM registrations r JOIN accounts a ON a.id = r.account_id WHERE a.email = '${email}' LIMIT 1`

async function addressOfOwn(path: string, registration: string, lookup: Lookup) {
  return /^\/pendaftaran\/(voucher\/)?:id/.test(path)
    ? path.replace(':id', (await lookup(registration))!)
    : addressOf(path, lookup)
}

async function mayOpen(lookup: Lookup, email: string, access: string) {
  if (access === 'signed-in' || access === 'public') return true
  const found = await lookup(`SELECT 1 FROM role_permissions g JOIN accounts a ON a.role_id = g.role_id
    WHERE a.email = '${email}' AND g.permission = '${access}'`)
  return found !== undefined
}

const tokensByWorld = new WeakMap<World, Map<string, Promise<string>>>()

function tokenOf(world: World, email: string) {
  const tokens = tokensByWorld.get(world) ?? new Map<string, Promise<string>>()
  tokensByWorld.set(world, tokens)
  if (!tokens.has(email)) tokens.set(email, signIn(world.url, email))
  return tokens.get(email)!
}

async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  })
  if (!answer.ok) throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A browser page passed from one account and look to the next while width and language stay the same. */
type Device = { page: Page; context: BrowserContext; complaints: string[]; script?: { dispose(): Promise<void> } }

async function newDevice(world: World, look: Look): Promise<Device> {
  const { page, context } = await world.person(look)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // Chromium logs 403 and 404 answers to the console; they are expected for refused or missing records.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(`console: ${message.text().slice(0, 200)}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  return { page, context, complaints }
}

/** Passes a device to an account: deletes what the previous account stored, keeps loaded code. */
async function handOver(device: Device, world: World, email: string | null, { theme, rootFontPx }: Look) {
  const token = email ? await tokenOf(world, email) : undefined
  if (device.script) {
    await device.script.dispose()
    await device.page.evaluate(() => sessionStorage.clear())
    // Leaves the page first, because a page stores unfinished input.
    await device.page.goto('/api/ready')
    const session = await device.context.newCDPSession(device.page)
    await session.send('Storage.clearDataForOrigin', { origin: world.url, storageTypes: 'all' })
    await session.detach()
  }
  device.script = await device.page.addInitScript(
    ([key, value, mode, fontSize]) => {
      if (value) localStorage.setItem(key!, value)
      localStorage.setItem('theme_mode', mode!)
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = fontSize!
      })
    },
    [storageKeys.token, token ?? '', theme, rootFontPx === 16 ? '' : `${rootFontPx}px`],
  )
}

/** A browser profile for one account in one look; its pages are opened one after the other. */
export async function openProfile(world: World, email: string | null, look: Look) {
  const device = await newDevice(world, look)
  await handOver(device, world, email, look)
  return device
}

async function judge(page: Page, { isFirst, judgedRows }: { isFirst: boolean; judgedRows: number }): Promise<string[]> {
  const faults = await page.evaluate(faultsOfPage)
  const violations = await violationsOf(page, [
    // The first rows represent the others, whose colours would take axe seconds.
    `tbody tr:nth-child(n+${judgedRows + 1})`,
    `main ul > li:nth-child(n+${judgedRows + 1})`,
    ...(isFirst ? [] : [menuOfFrame]),
  ])
  const axe = violations.map(
    ({ id, nodes }) =>
      `axe ${id}: ${nodes
        .map(({ target }) => target.join(' '))
        .join(' | ')
        .slice(0, 300)}`,
  )
  return [...faults, ...axe]
}

export const nameOf = ({ who, address }: Stop, { width, language, theme, rootFontPx }: Look) =>
  `${who} ${address} (${width} px, ${language}, ${theme}, ${rootFontPx} px font)`

export type View = { stop: Stop; look: Look }

/** Every second page that each account opens; the others follow on the next day. */
export const halfOfToday = (views: readonly View[]) => views.filter((_, index) => index % 2 === seed % 2)

/** `lack` says what the page lacks; null if it lacks nothing. */
export type Finding = { view: View; faults: string[]; lack: string | null }

const profileOf = ({ stop, look }: View) => [stop.who, ...Object.values(look)].join()

/** What the page lacks: a heading, or an action or data besides links back. Runs inside the page. */
function lackOfPage(): string | null {
  const content = document.querySelector('main') ?? document.body
  const heading = document.querySelector('h1')
  if (!heading?.textContent?.trim()) return 'no heading'
  const mayRefuse = /^\/(404|500)$/.test(location.pathname)
  if (heading.closest('[role=alert]') && !mayRefuse) return `refused: ${heading.textContent}`
  const isThere = (element: Element) => element.checkVisibility() && !element.closest('header, nav, aside')
  const parts = content.querySelectorAll('a[href], button, input, select, textarea, td, dd, li, time, svg[role=img]')
  return [...parts].some(isThere) ? null : 'neither an action nor data'
}

/** Opens all views, `workers` at a time. `onView` gets the finding for each; `pictures` is a folder for screenshots. */
export async function walk(
  world: World,
  views: readonly View[],
  {
    workers,
    pictures,
    judgedRows = isWhole ? 5 : 2,
    onView,
  }: { workers: number; pictures?: string; judgedRows?: number; onView: (finding: Finding) => void },
): Promise<void> {
  // Sorts views of one profile together, so that it is opened once.
  const queue = views.toSorted((a, b) => profileOf(a).localeCompare(profileOf(b)))
  const work = async () => {
    const devices = new Map<string, Device>()
    let opened = ''
    for (let view = queue.shift(); view; view = queue.shift()) {
      const { stop, look } = view
      const name = nameOf(stop, look)
      const kind = `${look.width} ${look.language}`
      try {
        const device = devices.get(kind) ?? (await newDevice(world, look))
        devices.set(kind, device)
        const isFirst = opened !== profileOf(view)
        if (isFirst) await handOver(device, world, stop.email, look)
        opened = profileOf(view)
        device.complaints.length = 0
        await (isFirst ? device.page.goto(stop.address) : goTo(device.page, stop.address))
        await settled(device.page, 60)
        const faults = [...(await judge(device.page, { isFirst, judgedRows })), ...device.complaints]
        const lack = await device.page.evaluate(lackOfPage)
        if (pictures) await keepPicture(device.page, view, pictures)
        onView({ view, faults: faults.map((fault) => `${name}: ${fault}`), lack })
      } catch (error) {
        onView({ view, faults: [`${name}: ${String(error).slice(0, 300)}`], lack: 'not opened' })
        // A crashed page would fail all later views.
        await devices
          .get(kind)
          ?.context.close()
          .catch(() => {})
        devices.delete(kind)
        opened = ''
      }
    }
    for (const { context } of devices.values()) await context.close()
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function keepPicture(page: Page, { stop, look }: View, pictures: string) {
  const { width, language, theme, rootFontPx } = look
  const folder = path.join(pictures, stop.who)
  fs.mkdirSync(folder, { recursive: true })
  const fileName = stop.address.slice(1).replace(/[^\w]+/g, '-') || 'home'
  const file = `${fileName}-${width}-${language}-${theme}-${rootFontPx}.png`
  await page.screenshot({ path: path.join(folder, file), fullPage: true })
}

/**
 * Each report for the first walker who may open it, in alternating languages. The whole form opens it at both widths in
 * both themes, the quick form in one of the four, a different one every day.
 */
export function eachReport(stops: readonly Stop[]): View[] {
  const reports = stops.filter(
    ({ address }, index) =>
      address.startsWith('/laporan/') && stops.findIndex((stop) => stop.address === address) === index,
  )
  return reports.flatMap((stop, index) => {
    const all = ([360, 1280] as const).flatMap((width, wide) =>
      (['light', 'dark'] as const).map((theme, dark) => {
        const language = languages[(index + wide + dark) % languages.length]!
        return { stop, look: { width, language, theme, rootFontPx: 16 as const } }
      }),
    )
    return isWhole ? all : [all[(index + seed) % all.length]!]
  })
}

/** Order of the looks, in which the second is the opposite of the first in width, language, theme and font size. */
const lookOrder = [0, 15, 5, 10, 3, 12, 6, 9, 1, 14, 2, 13, 4, 11, 7, 8]

/**
 * Number of consecutive pages of one account that share a look, so that a browser profile is opened once for all of
 * them.
 */
const pagesPerLook = 12

/**
 * Each page for the first walker who may open it, pages of applicants once per walker, in one to sixteen looks; steps
 * of seven distribute the looks over the pages. A page's first look changes every second day and goes through all of
 * them in 32 days.
 */
export function eachPage(stops: readonly Stop[], looksPerPage = 1): View[] {
  const seenAddresses = new Set<string>()
  const chosenStops = stops.filter(({ who, address }) => {
    const page = `${who.startsWith('applicant') || who === 'mahasiswa' ? who : ''}${address}`
    return !seenAddresses.has(page) && seenAddresses.add(page)
  })
  return chosenStops.flatMap((stop, index) => {
    const first = (Math.floor(index / pagesPerLook) * 7 + Math.floor(seed / 2)) % looks.length
    return lookOrder.slice(0, looksPerPage).map((lookIndex) => ({ stop, look: looks[first ^ lookIndex]! }))
  })
}
