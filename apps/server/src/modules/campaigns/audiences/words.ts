import type { ListFilter } from '#domain/list.ts'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import { findTitle } from '#server/list/row-titles.ts'
import { filterWords, type Reader } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { listOfAudience } from './filters.ts'
import type { AudienceQuestion } from './people-of.ts'

type Word = { label: string; value: string }

async function eventName(db: Db, id: string, language: Language) {
  const event = await db.selectFrom('events').select(['nameId', 'nameEn']).where('id', '=', id).executeTakeFirst()
  return event && (language === 'id' ? event.nameId : event.nameEn)
}

const sessionName = (db: Db, id: string) =>
  db
    .selectFrom('eventSessions')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst()
    .then((session) => session?.name)

/** Labels and values of an audience's filters in the reader's language. */
export async function audienceWords(
  services: Services,
  actor: Actor,
  language: Language,
  { audience, filters }: AudienceQuestion,
): Promise<Word[]> {
  const { db } = services
  const list = listOfAudience[audience]
  if (list) {
    const reader: Reader = { services, actor, now: services.clock.now(), language, params: {} }
    const { q, ...rest } = filters
    // Leaves out filters that the list no longer has.
    const known = Object.fromEntries(
      Object.entries(rest).filter(([key]) => (list.filters as Record<string, ListFilter>)[key]),
    )
    const nameOf = (filter: string, value: string) =>
      filter === 'eventId' ? eventName(db, value, language) : Promise.resolve(undefined)
    const search = q ? [{ label: sentences(language)('campaigns:filter.q'), value: q }] : []
    return [...search, ...(await filterWords(list, nameOf, known, reader))]
  }
  const t = sentences(language)
  const words: Word[] = []
  for (const [key, value] of Object.entries(filters)) {
    const [label, name] =
      key === 'eventId'
        ? ['eventId', await eventName(db, value, language)]
        : key === 'sessionId'
          ? ['sessionId', await sessionName(db, value)]
          : key === 'state'
            ? ['visitorState', t(`campaigns:visitorState.${value}`)]
            : key === 'provinceId'
              ? ['provinceId', await findTitle(db, getEntity('provinsi'), value)]
              : key === 'schoolTypeId'
                ? ['schoolTypeId', await findTitle(db, getEntity('sma'), value)]
                : ['kind', t(`campaigns:affiliateKind.${value}`)]
    words.push({ label: t(`campaigns:filter.${label}`), value: name || value })
  }
  return words
}
