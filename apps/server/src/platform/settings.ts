import { setUniversityTimeZone } from '#domain/calendar.ts'
import { type Settings, settingsSchema } from '#domain/settings/settings.ts'
import { setMonthNames } from '#locales/format.ts'
import type { Db } from './database/database.ts'

export type { Settings } from '#domain/settings/settings.ts'

/** Rows of the last read with their parsed settings: rows are read every time, but parsed only after a change. */
let cache: { stored: string; settings: Readonly<Settings> } | undefined

/**
 * Reads the settings from the database each time, so that a change applies at once on every server. An invalid stored
 * value is replaced by its default.
 */
export async function getSettings(db: Db): Promise<Readonly<Settings>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const stored = JSON.stringify(rows)
  if (cache?.stored !== stored) cache = { stored, settings: Object.freeze(parseSettings(rows)) }
  setUniversityTimeZone(cache.settings.timeZone)
  setMonthNames(cache.settings.monthNames)
  return cache.settings
}

function parseSettings(rows: readonly { key: string; value: unknown }[]): Settings {
  const values = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const result = settingsSchema.safeParse(values)
  return result.success ? result.data : settingsSchema.parse(withoutInvalid(values))
}

const withoutInvalid = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => settingsSchema.safeParse({ [key]: value }).success),
  )
