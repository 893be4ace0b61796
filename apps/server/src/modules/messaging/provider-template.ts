import { placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Db } from '#server/platform/database/database.ts'

type Params = Record<string, unknown>

/** Whether a default WhatsApp connection exists. */
export const hasWhatsapp = (tx: Db) =>
  tx
    .selectFrom('whatsappConnections')
    .select('id')
    .where('isDefault', '=', true)
    .executeTakeFirst()
    .then((found) => found !== undefined)

/**
 * The provider's template with values: numbered parameters take the placeholders in order of first occurrence. Null
 * without a name or if a value is missing.
 */
export function providerTemplateOf(name: string | null, body: string, values: Params) {
  if (!name) return null
  const parameters = placeholdersOf(body).map((placeholder) => values[placeholder])
  return parameters.some((value) => value === undefined || value === null)
    ? null
    : { name, parameters: parameters.map(String) }
}
