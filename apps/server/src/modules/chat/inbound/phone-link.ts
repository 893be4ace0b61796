import crypto from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { appendHappening, type ConversationRow } from '#server/modules/chat/append-message.ts'
import { lockConversationOf } from '#server/modules/chat/own-chat.ts'
import { addressOf, type WhatsappUser } from '#server/modules/whatsapp/items/item.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { maskPhone } from '#server/platform/access/masks.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { findOfficePhone } from './office-phone.ts'

const codeMs = 15 * 60_000

/** Omits I, L, O, 0 and 1, which look alike. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 10
const codePattern = new RegExp(`\\bPMB-[${codeLetters}]{${codeLength}}\\b`)

const newCode = () =>
  `PMB-${Array.from({ length: codeLength }, () => codeLetters[crypto.randomInt(codeLetters.length)]).join('')}`

/**
 * Stores a 15-minute code and returns a wa.me link with the code; 409 without an office number. The message with the
 * code proves that the sender's number belongs to the account.
 */
export function startPhoneLink({ db, clock }: Services, { accountId }: Actor) {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const officePhone = await findOfficePhone(tx)
    if (!officePhone) throw conflict('wrong_status')
    const { id } = await lockConversationOf(tx, accountId, now)
    const code = newCode()
    await tx
      .updateTable('conversations')
      .set({ linkCode: code, linkCodeUntil: new Date(now.getTime() + codeMs) })
      .where('id', '=', id)
      .execute()
    const { name, language } = await tx
      .selectFrom('accounts')
      .select(['name', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const text = sentences(language)('chat:linkText', { name, code })
    return { url: `https://wa.me/${officePhone.slice(1)}?text=${encodeURIComponent(text)}` }
  })
}

/**
 * Locks and returns the conversation of the active applicant who has proven this number or user id; undefined if there
 * is none. A valid code in `words` counts as proof.
 */
export async function lockProvenConversation(tx: Tx, user: WhatsappUser, words: string | null, now: Date) {
  const code = words && codePattern.exec(words)?.[0]
  if (code) await proveByCode(tx, user, code, now)
  const proven = await tx
    .selectFrom('conversations')
    .selectAll()
    .where(isProvenBy(user))
    .where('accountId', 'in', (eb) =>
      eb
        .selectFrom('accounts as a')
        .innerJoin('roles as o', 'o.id', 'a.roleId')
        .select('a.id')
        .where('a.active', '=', true)
        .where('o.name', '=', applicantRole),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  const { phone, userId } = user
  // A phone number can get a new owner, a user id cannot. So a proven number does not count if the sender has a
  // different user id from the proven one.
  const found =
    proven.find(({ provenUserId }) => userId !== null && provenUserId === userId) ??
    proven.find(({ provenUserId }) => provenUserId === null || userId === null)
  // A message with number and user id proves both once one of them is proven.
  if (found && ((phone && found.provenPhone !== phone) || (userId && found.provenUserId !== userId)))
    await setProven(tx, found.id, user)
  return found
}

const isProvenBy =
  ({ phone, userId }: WhatsappUser) =>
  (eb: ExpressionBuilder<Database, 'conversations'>) =>
    eb.or([eb('provenPhone', '=', phone), eb('provenUserId', '=', userId)])

/**
 * Marks the user's number and user id as proven for a conversation. If either was proven for another conversation, that
 * conversation loses both, and its WhatsApp address too.
 */
async function setProven(tx: Tx, conversationId: string, user: WhatsappUser) {
  await tx
    .updateTable('conversations')
    .set({
      provenPhone: null,
      provenUserId: null,
      whatsappConnectionId: null,
      whatsappAddress: null,
      whatsappAt: null,
    })
    .where(isProvenBy(user))
    .where('id', '<>', conversationId)
    .execute()
  await tx
    .updateTable('conversations')
    .set({ ...(user.phone && { provenPhone: user.phone }), ...(user.userId && { provenUserId: user.userId }) })
    .where('id', '=', conversationId)
    .execute()
}

async function proveByCode(tx: Tx, user: WhatsappUser, code: string, now: Date) {
  const conversation = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('linkCode', '=', code)
    .where('linkCodeUntil', '>', now)
    .forUpdate()
    .executeTakeFirst()
  if (!conversation) return
  await setProven(tx, conversation.id, user)
  await tx
    .updateTable('conversations')
    .set({
      linkCode: null,
      linkCodeUntil: null,
      // Clears the user id proven with an earlier number if this sender has no user id.
      provenUserId: user.userId,
    })
    .where('id', '=', conversation.id)
    .execute()
  await noteLink(tx, conversation, addressOf(user), now)
}

async function noteLink(tx: Tx, conversation: ConversationRow, address: string, now: Date) {
  const detail = maskPhone(address)
  await appendHappening(tx, conversation, 'linked', { by: null, detail }, now)
  await recordAudit(tx, systemActor, { action: 'chat.linked', on: { chat: conversation.id }, after: { phone: detail } })
}
