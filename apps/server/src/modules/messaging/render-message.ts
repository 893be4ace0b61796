import { fillPlaceholders, templateFields } from '#domain/messaging/placeholders.ts'
import type { Language } from '#entities/define/language.ts'
import type { MessageChannel } from '#entities/messaging/message-events.ts'
import { hasSentence } from '#locales/translate.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

type Params = Record<string, unknown>
type RenderedMessage = { subject: string; body: string }

/** The university's own template for an event and channel, in one language. */
export type OwnTemplate = {
  channel: MessageChannel
  subject: string | null
  body: string
  providerTemplate: string | null
}

/**
 * The built-in sentence of an event. Full stops at the end of a typed reason are removed, because the sentence has its
 * own.
 */
function renderBuiltIn(event: string, language: Language, typed: Params): RenderedMessage {
  if (!hasSentence(`messages:${event}.subject`, language)) throw new Error(`No message is called ${event}`)
  const { reason } = typed
  const params = typeof reason === 'string' ? { ...typed, reason: reason.replace(/[\s.]+$/, '') } : typed
  const t = sentences(language)
  return { subject: inOneLine(t(`messages:${event}.subject`, params)), body: t(`messages:${event}.body`, params) }
}

/** Names in a subject may contain line breaks. */
const inOneLine = (subject: string) => subject.replace(/\s+/g, ' ')

/** The active templates of an event, at most one per channel. */
export const findTemplates = (tx: Db, event: string, language: Language): Promise<OwnTemplate[]> =>
  tx
    .selectFrom('messageTemplates')
    .select(['channel', 'providerTemplate'])
    .select((eb) => [
      eb.ref(templateFields[language].subject).as('subject'),
      eb.ref(templateFields[language].body).as('body'),
    ])
    .where('event', '=', event)
    .where('active', '=', true)
    .execute()

type MessageSpec = {
  event: string
  language: Language
  params?: Params | undefined
  template?: OwnTemplate | undefined
}

/**
 * Text of a message: the university's template, else the built-in sentence. The built-in sentence also replaces a
 * template with an unknown placeholder, so wording never blocks a message.
 */
export function fillMessage(
  { event, language, params = {}, template }: MessageSpec,
  universityName: string,
): RenderedMessage {
  const builtInMessage = renderBuiltIn(event, language, params)
  if (!template) return builtInMessage
  const values = { university: universityName, ...params }
  const subject = template.subject === null ? builtInMessage.subject : fillPlaceholders(template.subject, values)
  const body = fillPlaceholders(template.body, values)
  return subject === undefined || body === undefined ? builtInMessage : { subject: inOneLine(subject), body }
}

/** Like `fillMessage`; reads the university's name if there is a template. */
export const renderMessage = async (tx: Db, spec: MessageSpec): Promise<RenderedMessage> =>
  fillMessage(spec, spec.template ? (await getSettings(tx)).universityName : '')
