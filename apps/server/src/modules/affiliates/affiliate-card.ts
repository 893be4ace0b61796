import { shortBiography } from '#domain/affiliates/short-biography.ts'
import { logoPath } from '#server/platform/branding.ts'
import type { FindLinkCard } from '#server/platform/http/web.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { findByAddress, keepPublicAffiliates } from './public-affiliates.ts'

/**
 * Link cards for the public pages of affiliates. Messengers send no language, so the text is in Indonesian, the
 * language of most people who share them.
 */
export function affiliateCards(services: Services): FindLinkCard {
  const publicAffiliates = keepPublicAffiliates(services)
  return async (pathname) => {
    const path = /^\/afiliator(?:\/([^/]+))?\/?$/.exec(pathname)
    if (!path) return undefined
    const { universityName: university, logoFileId } = await getSettings(services.db)
    const say = sentences('id')
    const logo = logoFileId && logoPath(logoFileId)
    if (path[1] === undefined)
      return {
        title: `${say('titles:afiliator')} · ${university}`,
        text: say('affiliates:public.text'),
        path: '/afiliator',
        image: logo,
      }
    const found = findByAddress(await publicAffiliates(), path[1])
    if (!found) return undefined
    const { name, biography, photo } = found
    return {
      title: `${name} · ${university}`,
      text: biography ? shortBiography(biography) : say('affiliates:public.cardText', { name, university }),
      path: `/afiliator/${found.path}`,
      image: photo ?? logo,
    }
  }
}
