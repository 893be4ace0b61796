import { z } from 'zod'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'

/** A user as Meta names them: by phone number, by user id within the university's business account, or by both. */
export type WhatsappUser = { phone: string | null; userId: string | null }

/** Address to write to. The number is preferred, because Meta's reports then contain it too. */
export const addressOf = ({ phone, userId }: WhatsappUser) => phone ?? userId!

const number = z
  .string()
  .regex(/^[1-9]\d{4,17}$/)
  .transform((digits) => `+${digits}`)
  .optional()
  .catch(undefined)
/** ISO country code and up to 128 letters and digits, in one or two parts: `ID.13491208655302741918`. */
const userId = z
  .string()
  .regex(/^[A-Z]{2}(\.[A-Za-z0-9]{1,128}){1,2}$/)
  .max(140)
  .optional()
  .catch(undefined)

const named = z
  .object({ from: number, from_user_id: userId, recipient_id: number, recipient_user_id: userId })
  .catch({})
const contactOfUser = z.object({ wa_id: number, user_id: userId }).catch({})

/** Stored form of an item, with the contact of its user from the same notice. */
export type KeptItem = { item: unknown; contact: unknown }

/** The sender of a message, or the receiver of the message that a report is about. */
export function userOf({ item, contact }: KeptItem): WhatsappUser {
  const { from, from_user_id, recipient_id, recipient_user_id } = named.parse(item)
  const { wa_id, user_id } = contactOfUser.parse(contact)
  return { phone: from ?? recipient_id ?? wa_id ?? null, userId: from_user_id ?? recipient_user_id ?? user_id ?? null }
}

/**
 * The contact of an item's user. An item that names no user gets the only contact of its notice, if there is just one.
 */
export function contactOf(item: unknown, contacts: readonly unknown[]): unknown {
  const { phone, userId } = userOf({ item, contact: null })
  if (!phone && !userId) return contacts.length === 1 ? contacts[0] : null
  const isTheirs = ({ wa_id, user_id }: z.output<typeof contactOfUser>) =>
    (wa_id !== undefined && wa_id === phone) || (user_id !== undefined && user_id === userId)
  return contacts.find((contact) => isTheirs(contactOfUser.parse(contact))) ?? null
}

/** Parses a stored item, without characters that PostgreSQL cannot store; undefined if it cannot be parsed. */
export function readItem(raw: Buffer): KeptItem | undefined {
  try {
    const parts = repair(JSON.parse(raw.toString('utf8')))
    return z.object({ item: z.unknown(), contact: z.unknown() }).safeParse(parts).data
  } catch {
    // Not JSON, or nested too deeply to be serialised.
    return undefined
  }
}

/** Removes NUL characters and replaces lone surrogates; JSON.stringify escapes both. */
function repair(value: unknown): unknown {
  if (issuesOfText(value).length === 0) return value
  const text = JSON.stringify(value).replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escaped, code: string) =>
    code === 'u0000' ? '' : code.length === 5 ? '\ufffd' : escaped,
  )
  const repaired: unknown = JSON.parse(text)
  return issuesOfText(repaired).length === 0 ? repaired : undefined
}

const maxUnixSeconds = 32_503_680_000

/** Seconds since 1970, as in Meta's timestamps. */
export const unixTime = z.coerce
  .number()
  .min(0)
  .max(maxUnixSeconds)
  .transform((value) => new Date(value * 1000))
