import { parsePhone, withoutSeparators } from '#domain/accounts/phone.ts'
import type { Problems } from '#domain/endpoint.ts'
import { isSafeAddress } from '#domain/safe-address.ts'

/** The number in its stored format; numbers of the Cloud API may belong to any country. */
export function connectionPhone(text: string): string | null {
  const compact = withoutSeparators(text)
  return parsePhone(text) ?? (/^\+\d{8,15}$/.test(compact) ? compact : null)
}

type Content = {
  /** Missing in changes: the kind of a connection never changes. */
  kind?: string
  name?: string
  phone?: string | null
  phoneNumberId?: string | null
  graphUrl?: string
  isDefault?: boolean
  active?: boolean
}

/** Checks a WhatsApp connection without the database; the use case adds the problems that need stored rows. */
export const connectionProblems = (connection: Content): Problems => ({
  name: connection.name === '' ? 'field_required' : null,
  phone: connection.phone && !connectionPhone(connection.phone) ? 'phone_invalid' : null,
  phoneNumberId: connection.kind === 'cloud' && !connection.phoneNumberId ? 'field_required' : null,
  graphUrl: connection.graphUrl !== undefined && !isSafeAddress(connection.graphUrl) ? 'whatsapp_address_unsafe' : null,
  active: connection.isDefault && connection.active === false ? 'whatsapp_is_default' : null,
})
