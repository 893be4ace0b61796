import type { Channel } from '#domain/campaigns/campaigns.ts'
import type { Language } from '#entities/define/language.ts'
import { queueMessages } from '#server/modules/messaging/handovers/queue-messages.ts'
import { hasWhatsapp, providerTemplateOf } from '#server/modules/messaging/provider-template.ts'
import { urgencies } from '#server/modules/messaging/urgency.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { campaignEvent } from './claim/claim.ts'
import { valuesOf } from './claim/compose.ts'
import { optOutAddresses } from './opt-out-token.ts'
import { messagesFor } from './plan/example-messages.ts'
import { type FrozenTemplate, findConnection } from './plan/judge.ts'
import { draftOf, planOf } from './plan/plan-of.ts'
import { judgeAudience } from './plan/preview.ts'
import { getCampaignRow } from './visible-campaigns.ts'

/**
 * Sends the actor an example message on each channel of the campaign that reaches the actor; 409 if none does. The
 * values come from an example recipient, if there is one, preferably one who reads `language`.
 */
export async function testCampaign(services: Services, actor: Actor, id: string, language: Language) {
  const { db, clock } = services
  const row = await getCampaignRow(db, actor, id)
  const draft = draftOf(row)
  const planned = row.template as FrozenTemplate | null
  const plan = planned
    ? { ...(await planOf(db, actor, { ...draft, templateId: null }, row.parentId)), template: planned }
    : await planOf(db, actor, draft, row.parentId)
  const settings = await getSettings(db)
  const { examples } = await judgeAudience(services, actor, draft, plan)
  const example = examples.find((one) => one.language === language) ?? examples[0]
  const reader = { name: example?.name ?? actor.name, language, values: example?.values ?? {} }
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const account = await tx
      .selectFrom('accounts')
      .select(['email', 'phone'])
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    const addresses: Record<Channel, string | null> = {
      whatsapp: account.phone && (await hasWhatsapp(tx)) ? account.phone : null,
      email: account.email,
      inbox: null,
    }
    const usable = draft.channels.filter((channel) => channel === 'inbox' || addresses[channel] !== null)
    if (usable.length === 0) throw conflict('campaign_test_unreachable')
    const now = clock.now()
    const messages = messagesFor(plan, reader, usable, {
      settings,
      viewerLanguage: language,
      isCloud: (await findConnection(tx))?.isCloud ?? false,
      linkOf: (purpose) => optOutAddresses(services, { address: account.phone!, purpose }).page,
    })
    for (const { channel, subject, body } of messages) {
      const isWhatsapp = channel === 'whatsapp'
      const template =
        isWhatsapp && plan.template
          ? providerTemplateOf(
              plan.template.providerTemplate,
              language === 'id' ? plan.template.bodyId : plan.template.bodyEn,
              valuesOf(reader, settings),
            )
          : null
      const { id: messageId } = await tx
        .insertInto('messages')
        .values({
          accountId: actor.accountId,
          channel,
          toAddress: addresses[channel],
          event: campaignEvent,
          language,
          subject: sentences(language)('campaigns:test.subject', { subject: subject ?? row.name }),
          body,
          createdAt: now,
          providerTemplate: template && JSON.stringify(template),
          ...(channel === 'inbox' && { status: 'sent' as const, sentAt: now }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await queueMessages(context, [{ id: messageId, channel, event: campaignEvent, urgency: urgencies.answer }])
    }
    await recordAudit(tx, actor, {
      action: 'campaign.test',
      on: { campaign: id },
      after: { channels: usable, language },
    })
    return { to: usable.map((channel) => ({ channel, address: addresses[channel] })) }
  })
}
