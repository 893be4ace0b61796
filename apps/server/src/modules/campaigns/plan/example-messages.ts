import type { Channel, MarketingPurpose } from '#domain/campaigns/campaigns.ts'
import type { Language } from '#entities/define/language.ts'
import { fillTexts, fillWhatsapp, type Reader, whatsappOptOut } from '#server/modules/campaigns/claim/compose.ts'
import type { Settings } from '#server/platform/settings.ts'
import { wordsIn } from '#server/platform/text.ts'
import { type Plan, placeholdersFor } from './judge.ts'

/** Placeholders in the plan's texts for which this reader has no value. */
export function missingFor(plan: Plan, { language, name, values }: Reader) {
  const known = new Set([...plan.commonNames.filter((common) => common !== 'name' || name), ...Object.keys(values)])
  return placeholdersFor(plan, language).filter((placeholder) => !known.has(placeholder))
}

export type ExampleMessage = { channel: Channel; subject: string | null; body: string }

type Surroundings = {
  settings: Pick<Settings, 'universityName'>
  /** Whether the default WhatsApp connection uses Meta's Cloud API. */
  isCloud: boolean
  /** Language of the user who reads the preview. */
  viewerLanguage: Language
  /** URL of the page behind an opt-out link. */
  linkOf: (purpose: MarketingPurpose) => string
}

/** Messages as they would be sent on the channels. A missing value shows its placeholder's name in square brackets. */
export function messagesFor(
  plan: Plan,
  reader: Reader,
  channels: readonly Channel[],
  { settings, isCloud, linkOf, viewerLanguage }: Surroundings,
): ExampleMessage[] {
  const { t, has } = wordsIn(viewerLanguage)
  const gapOf = (name: string) => {
    const key = `campaigns:placeholder.${name}`
    // A placeholder without a translated label, such as most headings of a sheet, shows its own name.
    return `[${/^[a-z]+$/.test(name) && has(key) ? t(key) : name}]`
  }
  const gaps = Object.fromEntries(missingFor(plan, reader).map((name) => [name, gapOf(name)]))
  const complete = { ...reader, name: reader.name || gapOf('name'), values: { ...gaps, ...reader.values } }
  return channels.flatMap((channel): ExampleMessage[] => {
    if (channel === 'whatsapp') {
      const optOut = whatsappOptOut({ purpose: plan.purpose, isCloud, language: reader.language }, linkOf)
      const filled = fillWhatsapp(plan, complete, settings, optOut)
      return filled ? [{ channel, subject: null, body: filled.text }] : []
    }
    const filled = fillTexts(plan, complete, settings)
    return filled ? [{ channel, subject: filled.subject, body: filled.body }] : []
  })
}
