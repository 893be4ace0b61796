import { logoPath } from '#server/platform/branding.ts'
import type { FindLinkCard } from '#server/platform/http/web.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { keepOpenEvents } from './visitors/open-events.ts'
import { momentText } from './visitors/tell-visitors.ts'

/** Link previews of public event pages, in Indonesian because messengers send no language. */
export function eventCards(services: Services): FindLinkCard {
  const openEvents = keepOpenEvents(services)
  return async (pathname) => {
    const path = /^\/acara(?:\/([^/]+))?\/?$/.exec(pathname)
    if (!path) return undefined
    const { universityName: university, logoFileId } = await getSettings(services.db)
    const say = sentences('id')
    const image = logoFileId && logoPath(logoFileId)
    if (path[1] === undefined)
      return { title: `${say('titles:acara')} · ${university}`, text: say('events:public.text'), path: '/acara', image }
    const slug = path[1].toLowerCase()
    const found = (await openEvents()).find((row) => row.slug === slug)
    if (!found) return undefined
    const first = found.sessions[0]!
    return {
      title: `${found.nameId} · ${university}`,
      text: [momentText(first.startsAt, 'id'), found.place, found.descriptionId]
        .filter(Boolean)
        .join(' · ')
        .slice(0, 200),
      path: `/acara/${found.slug}`,
      image,
    }
  }
}
