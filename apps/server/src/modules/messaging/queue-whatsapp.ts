import { placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Locale } from '#locales/index.ts'
import type { Db } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { getSettings } from '../../platform/settings.ts'
import { renderMessage } from './render-message.ts'

/** Told when a WhatsApp message waits to go out; whoever carries such messages listens. */
export const whatsappQueued = 'message.whatsapp-queued'

type Params = Record<string, unknown>
type Receiver = { accountId: string; phone: string | null; whatsapp: boolean; language: Locale }
type Message = { event: string; params: Params; link: string | null }

/** Where the university has words for the event on WhatsApp, and something to send them through. */
const findTemplate = (tx: Db, event: string, language: Locale) =>
  tx
    .selectFrom('messageTemplates')
    .select(['providerTemplate', language === 'en' ? 'bodyEn as body' : 'bodyId as body'])
    .where('event', '=', event)
    .where('channel', '=', 'whatsapp')
    .where('active', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('whatsappConnections').select('id').where('isDefault', '=', true)),
    )
    .executeTakeFirst()

/** The template as its provider knows it: its numbered places take our placeholders in the order they are first met. */
export function providerTemplateOf(name: string | null, body: string, values: Params) {
  if (!name) return null
  const parameters = placeholdersOf(body).map((placeholder) => values[placeholder])
  return parameters.some((value) => value === undefined || value === null)
    ? null
    : { name, parameters: parameters.map(String) }
}

/** Queues a WhatsApp message in this transaction, for those who have a phone and want such messages. */
export async function queueWhatsapp(tx: Db, services: Services, receiver: Receiver, { event, params, link }: Message) {
  if (!receiver.phone || !receiver.whatsapp) return
  const template = await findTemplate(tx, event, receiver.language)
  if (!template) return
  const values = { university: (await getSettings(tx)).universityName, ...params }
  const approved = providerTemplateOf(template.providerTemplate, template.body, values)
  const now = services.clock.now()
  const { id } = await tx
    .insertInto('messages')
    .values({
      accountId: receiver.accountId,
      channel: 'whatsapp',
      toAddress: receiver.phone,
      event,
      language: receiver.language,
      ...(await renderMessage(tx, 'whatsapp', event, receiver.language, params)),
      link,
      providerTemplate: approved && JSON.stringify(approved),
      createdAt: now,
      dueAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.jobs.publish(tx, whatsappQueued, { messageId: id })
}
