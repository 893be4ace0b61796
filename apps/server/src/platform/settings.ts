import { sql } from 'kysely'
import { setUniversityTimeZone } from '#domain/calendar.ts'
import { type Settings, settingsSchema } from '#domain/settings/settings.ts'
import { setMonthNames } from '#locales/format.ts'
import { compiledStatement } from './database/compiled-statement.ts'
import type { Db } from './database/database.ts'

export type { Settings } from '#domain/settings/settings.ts'

/** Stored text of the last read with its settings: it is read every time, but parsed only after a change. */
let cache: { stored: string; settings: Readonly<Settings> } | undefined

/** All stored settings as one text, for `toSettings`; a column of statements whose reader needs the settings too. */
export const settingsColumn = sql<string | null>`(SELECT json_object_agg(s.key, s.value)::text FROM settings s)`

const readStored = compiledStatement<object, { stored: string | null }>(() => sql`SELECT ${settingsColumn} AS stored`)

/**
 * Reads the settings from the database each time, so that a change applies at once on every server. An invalid stored
 * value is replaced by its default.
 */
export async function getSettings(db: Db): Promise<Readonly<Settings>> {
  return toSettings((await readStored(db, {}))[0]?.stored ?? null)
}

/** Settings from the value of `settingsColumn`, which this process uses from now on. */
export function toSettings(column: string | null): Readonly<Settings> {
  const stored = column ?? '{}'
  if (cache?.stored !== stored) cache = { stored, settings: Object.freeze(parseSettings(JSON.parse(stored))) }
  setUniversityTimeZone(cache.settings.timeZone)
  setMonthNames(cache.settings.monthNames)
  return cache.settings
}

function parseSettings(values: Record<string, unknown>): Settings {
  const result = settingsSchema.safeParse(values)
  return result.success ? result.data : settingsSchema.parse(withoutInvalid(values))
}

const withoutInvalid = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => settingsSchema.safeParse({ [key]: value }).success),
  )
