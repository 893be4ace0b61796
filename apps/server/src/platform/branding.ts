import { colours } from '#domain/navigation/constants.ts'
import type { Branding } from '#domain/settings/endpoints.ts'
import { paletteOf } from '#domain/settings/palette.ts'
import { getFile } from './files/stored-files.ts'
import { isRegistrationOpen } from './registration-opening.ts'
import type { Services } from './services.ts'
import { getSettings, type Settings } from './settings.ts'

export const logoPath = (fileId: string) => `/api/branding/logo/${fileId}`

/** Name, logo, colours and calendar settings of the university, shown on every page without signing in. */
export async function readBranding({ db, config }: Pick<Services, 'db' | 'config'>): Promise<Branding> {
  const { universityName, universityShortName, logoFileId, primaryColour, timeZone, monthNames } = await getSettings(db)
  return {
    name: universityName,
    shortName: universityShortName,
    logo: logoFileId && logoPath(logoFileId),
    shades: primaryColour.toUpperCase() === colours.primary ? [] : [...paletteOf(primaryColour).shades],
    timeZone,
    monthNames,
    demo: config.demo,
    registrationOpen: await isRegistrationOpen(db),
  }
}

/** Logo for a letterhead; undefined if missing or unreadable. */
export async function logoBytes({ db, files, log }: Services, { logoFileId }: Pick<Settings, 'logoFileId'>) {
  if (!logoFileId) return undefined
  try {
    return await files.bytes((await getFile(db, logoFileId)).storageKey)
  } catch (error) {
    log.warn({ err: error, logoFileId }, 'the logo cannot be read')
    return undefined
  }
}
