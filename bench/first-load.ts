import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { demoPassword } from '#seeds/demo/university.ts'
import { findHeadlessChromium } from '../scripts/tests/browsers.mjs'
import { median } from './measure.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** 400 kbit/s and 400 ms, in bytes: a cheap phone far from the next mast. */
const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const processorSlowdown = 4
/** Time without a request after which a page counts as loaded. */
const quietMs = 2_000
/** A quick writer; the page after sign-in is measured from the press of the button. */
const keyMs = 150

type Limits = { seconds?: number; kB?: number; requests?: number }
type Sample = { seconds: number; kB: number; requests: number }

/** Limits by what a person does; the whole application has no time, because people read and type between its pages. */
const limits: Record<string, Limits> = {
  'sign-in: field': { seconds: 4, kB: 120 },
  'dashboard after it: first sentence': { seconds: 6, requests: 25 },
  'sign-up behind the link of a track: field': { kB: 150, requests: 15 },
  'second visit, sign-in: field': { kB: 0 },
  'second visit, dashboard: first sentence': {},
  'whole application, without photos': { kB: 500 },
}

/** Pages between sign-up and confirmation, below the dashboard. */
const applicationPages = (id: string) => [
  '/account/settings',
  '/pendaftaran',
  '/pendaftaran/create',
  `/pendaftaran/${id}`,
  `/pendaftaran/${id}/program`,
  `/pendaftaran/${id}/file`,
  `/pendaftaran/${id}/pembayaran`,
  '/konfirmasi-kelulusan',
]

class Device {
  readonly page: Page
  private requests = 0
  private bytes = 0
  private readonly open = new Set<string>()
  private lastChangeMs = performance.now()
  private constructor(page: Page) {
    this.page = page
  }

  /** A new browser profile on the slow line; `close` forgets it. */
  static async open(browser: Browser, url: string): Promise<Device> {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'id-ID',
      viewport: { width: 360, height: 740 },
      userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile',
    })
    // What Chrome reports on such a line; its developer tools forget it at the first page.
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } }),
    )
    const device = new Device(await context.newPage())
    await device.listen(await context.newCDPSession(device.page))
    return device
  }

  private async listen(session: CDPSession) {
    const streams = new Set<string>()
    const end = (id: string) => {
      this.open.delete(id)
      this.lastChangeMs = performance.now()
    }
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!request.url.startsWith('http')) return
      if (request.url.includes('/stream')) return void streams.add(requestId)
      this.open.add(requestId)
      this.lastChangeMs = performance.now()
    })
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const isFree = response.fromServiceWorker || response.fromDiskCache || response.fromPrefetchCache
      if (this.open.has(requestId) && !isFree) this.requests += 1
    })
    session.on('Network.requestServedFromCache', ({ requestId }) => end(requestId))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!streams.has(requestId)) this.bytes += encodedDataLength
      end(requestId)
    })
    session.on('Network.loadingFailed', ({ requestId }) => end(requestId))
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', line)
    await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
  }

  async quiet() {
    while (this.open.size > 0 || performance.now() - this.lastChangeMs < quietMs) await this.page.waitForTimeout(100)
  }

  /** Requests and kB since the last call. */
  taken() {
    const { requests, bytes } = this
    this.requests = 0
    this.bytes = 0
    return { requests, kB: bytes / 1000 }
  }

  /**
   * Seconds until `selector` is on the screen at `path`, and what was loaded until the page is quiet, or with `untilShown`
   * until then.
   */
  async load(start: () => Promise<unknown>, selector: string, path?: string, untilShown = false): Promise<Sample> {
    this.taken()
    const startMs = performance.now()
    await start()
    if (path) await this.page.waitForURL(path, { timeout: 120_000, waitUntil: 'commit' })
    await this.page.locator(selector).first().waitFor({ timeout: 120_000 })
    const seconds = (performance.now() - startMs) / 1000
    const takenBefore = untilShown && this.taken()
    await this.quiet()
    return { seconds, ...(takenBefore || this.taken()) }
  }

  close = () => this.page.context().close()
}

const field = '#content input[type=email]'
const sentence = '#content h1'
const go = (page: Page, path: string) => () => page.goto(path, { waitUntil: 'commit' })

async function typeCredentials({ page }: Device, email: string) {
  await page.locator(field).pressSequentially(email, { delay: keyMs })
  await page.locator('#content input[autocomplete=current-password]').pressSequentially(demoPassword, { delay: keyMs })
}
const sendForm = (page: Page) => () => page.click('#content button[type=submit]', { noWaitAfter: true })

/** A registration of the applicant and the sign-up link of a track, read without the device. */
async function addresses(url: string, email: string) {
  const read = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}/api${path}`, init)
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const { access_token: token } = await read('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  })
  const dashboard = await read('/dashboard', { headers: { authorization: `Bearer ${token}` } })
  const intake = await read('/intake')
  const [wave] = intake.data
  return {
    registrationId: dashboard.data.registrations[0].id as string,
    signUp: `/sign-up?wave=${wave.id}&track=${wave.tracks[0].id}`,
  }
}

async function round(browser: Browser, url: string, email: string): Promise<Record<string, Sample>> {
  const samples: Record<string, Sample> = {}
  const { registrationId, signUp } = await addresses(url, email)
  const phone = await Device.open(browser, url)
  samples['sign-in: field'] = await phone.load(go(phone.page, '/sign-in'), field)
  await typeCredentials(phone, email)
  const whileTyping = phone.taken()
  const dashboard = await phone.load(sendForm(phone.page), sentence, '**/dashboard')
  samples['dashboard after it: first sentence'] = {
    seconds: dashboard.seconds,
    kB: whileTyping.kB + dashboard.kB,
    requests: whileTyping.requests + dashboard.requests,
  }
  // The service worker keeps files three seconds after the last one.
  await phone.page.waitForTimeout(5_000)
  samples['second visit, dashboard: first sentence'] = await phone.load(go(phone.page, '/dashboard'), sentence)
  await phone.page.evaluate(() => localStorage.clear())
  samples['second visit, sign-in: field'] = await phone.load(go(phone.page, '/sign-in'), field, undefined, true)
  await phone.close()

  const visitor = await Device.open(browser, url)
  samples['sign-up behind the link of a track: field'] = await visitor.load(go(visitor.page, signUp), field)
  await visitor.close()

  const applicant = await Device.open(browser, url)
  const whole: Sample = { seconds: 0, kB: 0, requests: 0 }
  const add = ({ seconds, kB, requests }: Sample) => {
    whole.seconds += seconds
    whole.kB += kB
    whole.requests += requests
  }
  add(await applicant.load(go(applicant.page, signUp), field))
  add(await applicant.load(go(applicant.page, '/sign-in'), field))
  await typeCredentials(applicant, email)
  add({ seconds: 0, ...applicant.taken() })
  add(await applicant.load(sendForm(applicant.page), sentence, '**/dashboard'))
  for (const path of applicationPages(registrationId))
    add(
      await applicant.load(
        () =>
          applicant.page.evaluate((to) => {
            history.pushState({}, '', to)
            dispatchEvent(new PopStateEvent('popstate', { state: {} }))
          }, path),
        '#content h1, #content form',
      ),
    )
  samples['whole application, without photos'] = whole
  await applicant.close()
  return samples
}

/** Loads the first pages as a cheap phone does; returns whether the medians are within the limits. */
export async function firstLoad(url: string): Promise<boolean> {
  const executablePath = findHeadlessChromium()
  if (!executablePath) throw new Error('No Chromium found: install the package chromium')
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const all: Record<string, Sample>[] = []
  try {
    for (let count = 0; count < rounds; count++) all.push(await round(browser, url, 'mahasiswa@demo.test'))
  } finally {
    await browser.close()
  }
  let isWithin = true
  const table = Object.entries(limits).map(([name, limit]) => {
    const of = (key: keyof Sample) => median(all.map((samples) => samples[name]![key]))
    const figures = { seconds: of('seconds'), kB: of('kB'), requests: of('requests') }
    for (const key of Object.keys(limit) as (keyof Sample)[]) if (figures[key] > limit[key]!) isWithin = false
    return {
      page: name,
      seconds: Number(figures.seconds.toFixed(1)),
      kB: Math.round(figures.kB),
      requests: figures.requests,
      goals: Object.entries(limit)
        .map(([key, most]) => `${key} ≤ ${most}`)
        .join(', '),
    }
  })
  console.table(table)
  return isWithin
}
