import type { TestedTemplate } from '#domain/messaging/endpoints.ts'
import { fillPlaceholders, sampleValues, templateFields, unknownPlaceholder } from '#domain/messaging/placeholders.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, type FieldError, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { queueMessages } from './handovers/queue-messages.ts'
import { providerTemplateOf } from './provider-template.ts'
import { urgencies } from './urgency.ts'

/** Sends the text in the template form, saved or not, to its author with example values. */
export async function sendTest(services: Services, actor: Actor, template: TestedTemplate) {
  const { clock } = services
  const { event, channel, language, subject, body, providerTemplate = null } = template
  const problems: Record<string, FieldError> = {}
  const fields = templateFields[language]
  for (const [field, text] of [
    [fields.subject, subject ?? ''],
    [fields.body, body],
  ] as const) {
    const detail = unknownPlaceholder(event, text)
    if (detail) problems[field] = { code: 'placeholder_unknown', params: { detail } }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const receiver = await tx
      .selectFrom('accounts')
      .select(['name', 'email', 'phone'])
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    if (channel === 'whatsapp') {
      if (!receiver.phone) throw conflict('no_phone')
      const connection = await tx
        .selectFrom('whatsappConnections')
        .select('id')
        .where('isDefault', '=', true)
        .executeTakeFirst()
      if (!connection) throw conflict('whatsapp_no_connection')
    }
    const { universityName } = await getSettings(tx)
    const values = { ...sampleValues(language), name: receiver.name, university: universityName }
    const subjectText = subject || sentences(language)(`messages:${event}.subject`, values)
    const filledTemplate = channel === 'whatsapp' ? providerTemplateOf(providerTemplate, body, values) : null
    const now = clock.now()
    const { id } = await tx
      .insertInto('messages')
      .values({
        accountId: actor.accountId,
        channel,
        toAddress: channel === 'inbox' ? null : channel === 'email' ? receiver.email : receiver.phone,
        event,
        language,
        subject: fillPlaceholders(subjectText, values) ?? subjectText,
        body: fillPlaceholders(body, values) ?? body,
        createdAt: now,
        providerTemplate: filledTemplate && JSON.stringify(filledTemplate),
        ...(channel === 'inbox' && { status: 'sent' as const, sentAt: now }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await queueMessages(context, [{ id, channel, event, urgency: urgencies.answer }])
    await recordAudit(tx, actor, { action: 'message.test', on: { message: id }, after: { event, channel, language } })
    return { to: channel === 'inbox' ? null : channel === 'email' ? receiver.email : receiver.phone }
  })
}
