import { useSyncExternalStore } from 'react'
import type { Branding } from '#domain/settings/endpoints.ts'
import { setUniversityTimeZone } from '#domain/time-zone.ts'
import { setMonthNames } from '#locales/format.ts'

const unknown: Branding = {
  name: '',
  shortName: '',
  logo: null,
  shades: [],
  timeZone: 'Asia/Jakarta',
  monthNames: 'indonesian',
}

/** The server writes it into the page, so that the first paint already wears the university's name and colours. */
function fromPage(): Branding | null {
  try {
    return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=branding]')!.content) as Branding
  } catch {
    return null
  }
}

const written = fromPage()
let current = written ?? unknown
setUniversityTimeZone(current.timeZone)
setMonthNames(current.monthNames)
const readers = new Set<() => void>()

const setBranding = (branding: Branding) => {
  current = branding
  setUniversityTimeZone(branding.timeZone)
  setMonthNames(branding.monthNames)
  for (const tell of readers) tell()
}

/** Asks the server again: after a change of the settings, and where the page came without (development). */
export async function refreshBranding() {
  try {
    const answer = await fetch('/api/branding')
    if (answer.ok) setBranding(((await answer.json()) as { data: Branding }).data)
  } catch {
    // The next page brings it.
  }
}
if (!written) void refreshBranding()

const subscribe = (tell: () => void) => {
  readers.add(tell)
  return () => void readers.delete(tell)
}

/** Name, logo and colours of the university. */
export const useBranding = () => useSyncExternalStore(subscribe, () => current)
