import { placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { OwnWords } from './render-message.ts'

/** Told when a WhatsApp message waits to go out; whoever carries such messages listens. */
export const whatsappQueued = 'message.whatsapp-queued'

type Params = Record<string, unknown>

/** Is there something to send WhatsApp messages through? */
export const hasWhatsapp = (tx: Db) =>
  tx
    .selectFrom('whatsappConnections')
    .select('id')
    .where('isDefault', '=', true)
    .executeTakeFirst()
    .then((found) => found !== undefined)

/** The template as its provider knows it: its numbered places take our placeholders in the order they are first met. */
export function providerTemplateOf(name: string | null, body: string, values: Params) {
  if (!name) return null
  const parameters = placeholdersOf(body).map((placeholder) => values[placeholder])
  return parameters.some((value) => value === undefined || value === null)
    ? null
    : { name, parameters: parameters.map(String) }
}

/** What a message needs for a provider that sends approved templates only; null where it cannot be filled. */
export async function approvedTemplate(tx: Db, { providerTemplate, body }: OwnWords, params: Params) {
  const values = { university: (await getSettings(tx)).universityName, ...params }
  const approved = providerTemplateOf(providerTemplate, body, values)
  return approved && JSON.stringify(approved)
}
