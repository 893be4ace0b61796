import type { Channel } from '#domain/campaigns/campaigns.ts'
import { fillTexts, fillWhatsapp, type Reader } from '#server/modules/campaigns/send/compose.ts'
import type { Settings } from '#server/platform/settings.ts'
import { type Plan, placeholdersFor } from './judge.ts'

/** Placeholders of the reader's texts without a value. */
export function missingFor(plan: Plan, { language, name, values }: Reader) {
  const known = new Set([...plan.commonNames.filter((common) => common !== 'name' || name), ...Object.keys(values)])
  return placeholdersFor(plan, language).filter((placeholder) => !known.has(placeholder))
}

export type ExampleMessage = { channel: Channel; subject: string | null; body: string }

/** Messages as they would go out by each channel; a missing value shows its placeholder in square brackets. */
export function messagesFor(
  plan: Plan,
  reader: Reader,
  channels: readonly Channel[],
  settings: Pick<Settings, 'universityName'>,
): ExampleMessage[] {
  const gaps = Object.fromEntries(missingFor(plan, reader).map((name) => [name, `[${name}]`]))
  const complete = { ...reader, name: reader.name || '[name]', values: { ...gaps, ...reader.values } }
  return channels.flatMap((channel): ExampleMessage[] => {
    if (channel === 'whatsapp') {
      const filled = fillWhatsapp(plan, complete, settings)
      return filled ? [{ channel, subject: null, body: filled.text }] : []
    }
    const filled = fillTexts(plan, complete, settings)
    return filled ? [{ channel, subject: filled.subject, body: filled.body }] : []
  })
}
