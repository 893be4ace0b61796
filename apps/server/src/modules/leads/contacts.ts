import type { Actor } from '#server/platform/access/authorization.ts'
import { maskListedEmail, maskListedPhone } from '#server/platform/access/masks.ts'

/** Full contacts for staff who may call leads, masked for others. */
export const contactsFor = (actor: Actor) =>
  actor.permissions.has('marketing-prospek-update')
    ? { phone: (phone: string | null) => phone, email: (email: string | null) => email }
    : {
        phone: (phone: string | null) => phone && maskListedPhone(phone),
        email: (email: string | null) => email && maskListedEmail(email),
      }
