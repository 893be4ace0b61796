import type { Texts as CampaignTexts, MarketingPurpose, Purpose } from '#domain/campaigns/campaigns.ts'
import { fillPlaceholders } from '#domain/messaging/placeholders.ts'
import type { Language } from '#entities/define/language.ts'
import { optOutAddresses } from '#server/modules/campaigns/opt-out-token.ts'
import type { FrozenTemplate } from '#server/modules/campaigns/plan/judge.ts'
import { layMailOut } from '#server/modules/messaging/compose-mail.ts'
import type { Outgoing } from '#server/modules/messaging/handovers/claims.ts'
import { providerTemplateOf } from '#server/modules/messaging/provider-template.ts'
import type { Mail } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import type { Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

/** Texts of a campaign, with its template as frozen at planning. */
export type Texts = CampaignTexts & { purpose: Purpose; template: FrozenTemplate | null }

export type Reader = { name: string; language: Language; values: Record<string, unknown> }

type Filled = { subject: string; body: string }

/** Values of the placeholders. A value from the audience overrides a common value of the same name. */
export const valuesOf = ({ name, values }: Reader, { universityName }: Pick<Settings, 'universityName'>) => ({
  name,
  university: universityName,
  ...values,
})

/** Subject and body for a reader; undefined if a value is missing. */
export function fillTexts(
  texts: Texts,
  reader: Reader,
  settings: Pick<Settings, 'universityName'>,
): Filled | undefined {
  const [subjectText, bodyText] =
    reader.language === 'id' ? [texts.subjectId, texts.bodyId] : [texts.subjectEn, texts.bodyEn]
  const values = valuesOf(reader, settings)
  const subject = fillPlaceholders(subjectText, values)
  const body = fillPlaceholders(bodyText, values)
  return subject === undefined || body === undefined ? undefined : { subject: subject.replace(/\s+/g, ' '), body }
}

const isMarketing = (purpose: Purpose): purpose is MarketingPurpose => purpose !== 'service'

/**
 * Opt-out line for WhatsApp; null for service messages. Without the Cloud API the line has a link, because the server
 * then receives no replies.
 */
export function whatsappOptOut(
  { purpose, isCloud, language }: { purpose: Purpose; isCloud: boolean; language: Language },
  linkOf: (purpose: MarketingPurpose) => string,
): string | null {
  if (!isMarketing(purpose)) return null
  const say = sentences(language)
  return isCloud ? say('messages:optOutByReply') : `${say('messages:optOut')} ${linkOf(purpose)}`
}

/**
 * The approved template, or free text that ends with `optOut`; undefined if a value is missing. Expects the footer of a
 * marketing template to explain the opt-out.
 */
export function fillWhatsapp(
  texts: Texts,
  reader: Reader,
  settings: Pick<Settings, 'universityName'>,
  optOut: string | null,
): Pick<Outgoing, 'text' | 'template'> | undefined {
  if (!texts.template?.providerTemplate) {
    const filled = fillTexts(texts, reader, settings)
    return filled && { text: optOut ? `${filled.body}\n\n${optOut}` : filled.body, template: null }
  }
  const { providerTemplate, bodyId, bodyEn } = texts.template
  const body = reader.language === 'id' ? bodyId : bodyEn
  const values = valuesOf(reader, settings)
  const text = fillPlaceholders(body, values)
  const template = providerTemplateOf(providerTemplate, body, values)
  return text === undefined || !template ? undefined : { text, template }
}

type MailTo = { handoverId: string; address: string; language: Language; purpose: Purpose } & Filled

/** Builds a campaign mail. A marketing mail gets an opt-out link in its text and the one-click header of RFC 8058. */
export function composeCampaignMail(
  services: Pick<Services, 'config'>,
  settings: Pick<Settings, 'universityName' | 'primaryColour'>,
  { handoverId, address, language, purpose, subject, body }: MailTo,
): Mail {
  const optOut = isMarketing(purpose) ? optOutAddresses(services, { address, purpose }) : null
  const footnote = optOut && { words: sentences(language)('messages:optOut'), link: optOut.page }
  return {
    to: address,
    subject,
    messageId: handoverId,
    ...layMailOut(settings, { language, greeting: null, body, link: null, footnote }),
    ...(optOut && {
      headers: { 'List-Unsubscribe': `<${optOut.oneClick}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  }
}
