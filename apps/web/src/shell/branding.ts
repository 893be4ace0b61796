import { useSyncExternalStore } from 'react'
import { setUniversityTimeZone } from '#domain/calendar.ts'
import type { Branding } from '#domain/settings/endpoints.ts'
import { setMonthNames } from '#locales/format.ts'

const unknownBranding: Branding = {
  name: '',
  shortName: '',
  logo: null,
  shades: [],
  timeZone: 'Asia/Jakarta',
  monthNames: 'indonesian',
  demo: false,
  registrationOpen: true,
}

/** Reads the branding the server wrote into the page, so that name and colours appear at first paint. */
function fromPage(): Branding | null {
  try {
    return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=branding]')!.content) as Branding
  } catch {
    return null
  }
}

const written = fromPage()
let current = written ?? unknownBranding
setUniversityTimeZone(current.timeZone)
setMonthNames(current.monthNames)
const readers = new Set<() => void>()

const setBranding = (branding: Branding) => {
  current = branding
  setUniversityTimeZone(branding.timeZone)
  setMonthNames(branding.monthNames)
  for (const listener of readers) listener()
}

/** Fetches the branding after a settings change, and in development, where the page has none. */
export async function refreshBranding() {
  try {
    const answer = await fetch('/api/branding')
    if (answer.ok) setBranding(((await answer.json()) as { data: Branding }).data)
  } catch {
    // The next page load brings the branding.
  }
}
// A page kept on the device may hold an older one.
if (!written || globalThis.navigator?.serviceWorker?.controller) void refreshBranding()

/** Sets what the build draws into the first HTML. */
export const drawBranding = (branding: Partial<Branding>) => {
  current = { ...unknownBranding, ...branding }
}

const subscribe = (listener: () => void) => {
  readers.add(listener)
  return () => void readers.delete(listener)
}

const currentBranding = () => current

/** Name, logo and colours of the university. */
export const useBranding = () => useSyncExternalStore(subscribe, currentBranding, currentBranding)
