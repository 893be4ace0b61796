import { parsePhone } from '#domain/accounts/phone.ts'
import type { Problems } from '#domain/endpoint.ts'
import { isSafeAddress } from '#domain/safe-address.ts'

/** The number as it is stored; numbers of the Cloud API may be of any country. */
export function connectionPhone(typed: string): string | null {
  const bare = typed.replace(/[\s().-]/g, '')
  return parsePhone(typed) ?? (/^\+\d{8,15}$/.test(bare) ? bare : null)
}

type Content = {
  /** Not sent with a change: the kind of a connection stays. */
  kind?: string
  name?: string
  phone?: string | null
  phoneNumberId?: string | null
  graphUrl?: string
  isDefault?: boolean
  active?: boolean
}

/** Checks a WhatsApp connection without the database; the use case adds the problems that need stored rows. */
export const connectionProblems = (given: Content): Problems => ({
  name: given.name === '' ? 'field_required' : null,
  phone: given.phone && !connectionPhone(given.phone) ? 'phone_invalid' : null,
  phoneNumberId: given.kind === 'cloud' && !given.phoneNumberId ? 'field_required' : null,
  graphUrl: given.graphUrl !== undefined && !isSafeAddress(given.graphUrl) ? 'whatsapp_address_unsafe' : null,
  active: given.isDefault && given.active === false ? 'whatsapp_is_default' : null,
})
