import { type Settings, settingsSchema } from '#domain/settings/settings.ts'
import { setLocalTimeZone } from '#locales/format.ts'
import type { Db } from './database.ts'

export type { Settings } from '#domain/settings/settings.ts'

/** Read anew each time: a change counts at once, on every server. A value that became impossible gives way to its default. */
export async function getSettings(db: Db): Promise<Settings> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const parsed = settingsSchema.safeParse(stored)
  const settings = parsed.success ? parsed.data : settingsSchema.parse(withoutImpossible(stored))
  setLocalTimeZone(settings.timeZone)
  return settings
}

const withoutImpossible = (stored: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => settingsSchema.safeParse({ [key]: value }).success),
  )
