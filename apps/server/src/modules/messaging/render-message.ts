import { fillPlaceholders } from '#domain/messaging/placeholders.ts'
import type { MessageChannel } from '#entities/messaging/message-events.ts'
import type { Locale } from '#locales/index.ts'
import { hasSentence } from '#locales/translate.ts'
import type { Db } from '../../platform/database.ts'
import { getSettings } from '../../platform/settings.ts'
import { sentences } from '../../platform/text.ts'

type Params = Record<string, unknown>
type Rendered = { subject: string; body: string }

/** The sentence the product has for an event without anybody's help. */
function builtIn(event: string, language: Locale, params: Params): Rendered {
  if (!hasSentence(`messages:${event}.subject`, language)) throw new Error(`No message is called ${event}`)
  const t = sentences(language)
  return { subject: t(`messages:${event}.subject`, params), body: t(`messages:${event}.body`, params) }
}

/**
 * The words of a message: the university's template where there is an active one, else the built-in sentence. A template
 * that asks for something unknown at this moment gives way to it as well: no message is ever held up by its wording.
 */
export async function renderMessage(
  tx: Db,
  channel: MessageChannel,
  event: string,
  language: Locale,
  params: Params = {},
): Promise<Rendered> {
  const own = builtIn(event, language, params)
  const template = await tx
    .selectFrom('messageTemplates')
    .select(language === 'en' ? ['subjectEn as subject', 'bodyEn as body'] : ['subjectId as subject', 'bodyId as body'])
    .where('event', '=', event)
    .where('channel', '=', channel)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!template) return own
  const values = { university: (await getSettings(tx)).universityName, ...params }
  const subject = template.subject === null ? own.subject : fillPlaceholders(template.subject, values)
  const body = fillPlaceholders(template.body, values)
  return subject === undefined || body === undefined ? own : { subject: subject.replace(/\s+/g, ' '), body }
}
