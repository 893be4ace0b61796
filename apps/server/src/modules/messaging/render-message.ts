import { fillPlaceholders } from '#domain/messaging/placeholders.ts'
import type { MessageChannel } from '#entities/messaging/message-events.ts'
import type { Locale } from '#locales/index.ts'
import { hasSentence } from '#locales/translate.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

type Params = Record<string, unknown>
type Rendered = { subject: string; body: string }

/** The university's own words for an event on a channel, in one language. */
export type OwnWords = {
  channel: MessageChannel
  subject: string | null
  body: string
  providerTemplate: string | null
}

/** The sentence the product has for an event without anybody's help. */
function builtIn(event: string, language: Locale, params: Params): Rendered {
  if (!hasSentence(`messages:${event}.subject`, language)) throw new Error(`No message is called ${event}`)
  const t = sentences(language)
  return { subject: t(`messages:${event}.subject`, params), body: t(`messages:${event}.body`, params) }
}

/** The active templates of an event: at most one per channel. */
export const ownWordsFor = (tx: Db, event: string, language: Locale): Promise<OwnWords[]> =>
  tx
    .selectFrom('messageTemplates')
    .select(['channel', 'providerTemplate'])
    .select(language === 'en' ? ['subjectEn as subject', 'bodyEn as body'] : ['subjectId as subject', 'bodyId as body'])
    .where('event', '=', event)
    .where('active', '=', true)
    .execute()

type Wanted = { event: string; language: Locale; params?: Params | undefined; own?: OwnWords | undefined }

/**
 * The words of a message: the university's where it has some, else the built-in sentence. Words that ask for something
 * unknown at this moment give way to it as well: no message is ever held up by its wording.
 */
export async function renderMessage(tx: Db, { event, language, params = {}, own }: Wanted): Promise<Rendered> {
  const usual = builtIn(event, language, params)
  if (!own) return usual
  const values = { university: (await getSettings(tx)).universityName, ...params }
  const subject = own.subject === null ? usual.subject : fillPlaceholders(own.subject, values)
  const body = fillPlaceholders(own.body, values)
  return subject === undefined || body === undefined ? usual : { subject: subject.replace(/\s+/g, ' '), body }
}
