import { logoPath } from '#server/platform/branding.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FindLinkCard } from '#server/platform/http/web.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { getDefinition, getLinkBySlug } from './survey-rows.ts'

/** Link previews of public surveys, in Indonesian because messengers send no language. */
export const surveyCards =
  ({ db }: Services): FindLinkCard =>
  async (pathname) => {
    const slug = /^\/survei\/([^/]{1,60})\/?$/.exec(pathname)?.[1]
    if (!slug) return undefined
    const link = await getLinkBySlug(db, slug).catch((error) => {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    })
    if (!link?.published) return undefined
    const { title, intro } = await getDefinition(db, link.surveyId, link.published)
    const { universityName, logoFileId } = await getSettings(db)
    return {
      title: `${title.id} · ${universityName}`,
      text: intro?.id || title.id,
      path: `/survei/${link.slug}`,
      image: logoFileId && logoPath(logoFileId),
    }
  }
