import type { Problems } from '#domain/endpoint.ts'
import { isSafeAddress } from '#domain/safe-address.ts'
import { parsePhone } from '#entities/define/phone.ts'

type Content = {
  /** Missing in updates: the kind never changes. */
  kind?: string
  name?: string
  phone?: string | null
  phoneNumberId?: string | null
  graphUrl?: string
  isDefault?: boolean
  active?: boolean
}

/** Checks that need no database. The use case adds checks against stored rows. */
export const connectionProblems = (connection: Content): Problems => ({
  name: connection.name === '' ? 'field_required' : null,
  phone: connection.phone && !parsePhone(connection.phone) ? 'phone_invalid' : null,
  phoneNumberId: connection.kind === 'cloud' && !connection.phoneNumberId ? 'field_required' : null,
  graphUrl: connection.graphUrl !== undefined && !isSafeAddress(connection.graphUrl) ? 'whatsapp_address_unsafe' : null,
  active: connection.isDefault && connection.active === false ? 'whatsapp_is_default' : null,
})
