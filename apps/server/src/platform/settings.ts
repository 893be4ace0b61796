import { type Settings, settingsSchema } from '#domain/settings/settings.ts'
import { setUniversityTimeZone } from '#domain/time-zone.ts'
import { setMonthNames } from '#locales/format.ts'
import type { Db } from './database/database.ts'

export type { Settings } from '#domain/settings/settings.ts'

/** What was stored when it was read last, and what it means: the rows are read every time, understood once. */
let last: { stored: string; settings: Readonly<Settings> } | undefined

/** Read anew each time: a change counts at once, on every server. A value that became impossible gives way to its default. */
export async function getSettings(db: Db): Promise<Readonly<Settings>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const stored = JSON.stringify(rows)
  if (last?.stored !== stored) last = { stored, settings: Object.freeze(understood(rows)) }
  setUniversityTimeZone(last.settings.timeZone)
  setMonthNames(last.settings.monthNames)
  return last.settings
}

function understood(rows: readonly { key: string; value: unknown }[]): Settings {
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const parsed = settingsSchema.safeParse(stored)
  return parsed.success ? parsed.data : settingsSchema.parse(withoutImpossible(stored))
}

const withoutImpossible = (stored: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => settingsSchema.safeParse({ [key]: value }).success),
  )
