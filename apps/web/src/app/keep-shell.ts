import { applicantRole } from '#domain/access/applicant-role.ts'
import { hasNewerBuild, onNewerBuild } from '#web/api/newer-build.ts'
import { currentLanguage } from '#web/shell/language.ts'
import { currentSession, onSession } from '#web/shell/session/session-store.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/** Pause after the last loaded file before the loaded files are kept. */
const quietMs = 3_000
/** Shortest time between two reloads for a newer build: servers may have different builds for a moment. */
const reloadPauseMs = 60_000

/** Staff load many files and change often: they always get what the server has. */
const isStaff = () => {
  const { user } = currentSession()
  return user !== null && user.role.name !== applicantRole
}

/** Resolves once the service worker has done a task; to false if it could not. */
const tell = (worker: ServiceWorker, message: object) =>
  new Promise<boolean>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    worker.postMessage(message, [port2])
  })

async function forgetShell() {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (!registration || new URL(registration.scope).pathname !== '/') return
  if (registration.active) await tell(registration.active, { task: 'forget' })
  await registration.unregister()
}

/** Keeps this page and its loaded files on the device by `public/sw.js`. */
export function keepShell() {
  const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content
  if (!build || !navigator.serviceWorker) return
  // Browsers refuse service workers without HTTPS, and some in private windows.
  const registering = () => navigator.serviceWorker.register('/sw.js').catch(() => undefined)

  const { controller } = navigator.serviceWorker
  if (controller) void tell(controller, { task: 'started', build })

  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = async () => {
    if (isStaff()) return forgetShell()
    const registration = await registering()
    const worker = registration?.active ?? registration?.waiting ?? registration?.installing
    if (!worker) return
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, search }) => pathname + search)
    await tell(worker, { task: 'keep', build, language: currentLanguage(), loaded: [...new Set(loaded)] })
  }
  const keepSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void keep(), quietMs)
  }
  keepSoon()
  new PerformanceObserver((list) => {
    if (list.getEntries().some(({ name }) => name.includes('/app/assets/'))) keepSoon()
  }).observe({ type: 'resource' })
  onSession(() => isStaff() && keepSoon())

  let isTouched = false
  for (const event of ['input', 'pointerdown', 'keydown'])
    addEventListener(event, () => (isTouched = true), { capture: true, passive: true, once: true })
  /** Whether this page came from the device and the reader has done nothing on it. */
  const mayReload = () => {
    const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const isTyped = [...document.querySelectorAll('input')].some(({ value, type }) => value && type !== 'checkbox')
    return (opening?.workerStart ?? 0) > 0 && !isTouched && !isTyped
  }
  const renew = async () => {
    const worker = navigator.serviceWorker.controller
    if (!worker) return
    const isKept = await tell(worker, { task: 'update', language: currentLanguage() })
    const lastMs = readStored<number>('sessionStorage', 'reloaded_at') ?? 0
    if (!isKept || !mayReload() || Date.now() - lastMs < reloadPauseMs) return
    if (writeStored('sessionStorage', 'reloaded_at', Date.now())) location.reload()
  }
  // The first answers come before this file.
  if (hasNewerBuild()) void renew()
  else onNewerBuild(() => void renew())
}
