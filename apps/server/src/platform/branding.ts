import { colours } from '#domain/navigation/constants.ts'
import type { Branding } from '#domain/settings/endpoints.ts'
import { paletteOf } from '#domain/settings/palette.ts'
import type { Db } from './database.ts'
import { getSettings } from './settings.ts'

export const logoPath = (fileId: string) => `/api/branding/logo/${fileId}`

/** What every page shows of the university, signed in or not. */
export async function readBranding(db: Db): Promise<Branding> {
  const { universityName, universityShortName, logoFileId, primaryColour, timeZone } = await getSettings(db)
  return {
    name: universityName,
    shortName: universityShortName,
    logo: logoFileId && logoPath(logoFileId),
    shades: primaryColour.toUpperCase() === colours.primary ? [] : paletteOf(primaryColour).shades,
    timeZone,
  }
}
