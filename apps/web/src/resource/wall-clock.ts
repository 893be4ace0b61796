import { localTimeZone } from '#locales/format.ts'

const parts = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: localTimeZone(), dateStyle: 'short', timeStyle: 'medium' })

/** An instant as the clock on the university's wall shows it (`2026-11-27 23:59:00`), wherever the reader is. */
export const toWallClock = (iso: string) => parts().format(new Date(iso))

/** The instant at which that clock shows this. */
export function fromWallClock(shown: string): string {
  const asUtc = Date.parse(`${shown.replace(' ', 'T')}Z`)
  const offset = Date.parse(`${toWallClock(new Date(asUtc).toISOString()).replace(' ', 'T')}Z`) - asUtc
  return new Date(asUtc - offset).toISOString()
}
