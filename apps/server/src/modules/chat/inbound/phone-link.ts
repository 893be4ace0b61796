import crypto from 'node:crypto'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { maskPhone } from '#domain/access/masks.ts'
import { appendHappening, type ConversationRow } from '#server/modules/chat/append-message.ts'
import { lockConversationOf } from '#server/modules/chat/own-chat.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { findOfficePhone } from './office-phone.ts'

/** Milliseconds in which the code of a link can be sent. */
const codeMs = 15 * 60_000

/** Without letters and digits that look alike. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 10
const codePattern = new RegExp(`\\bPMB-[${codeLetters}]{${codeLength}}\\b`)

const newCode = () =>
  `PMB-${Array.from({ length: codeLength }, () => codeLetters[crypto.randomInt(codeLetters.length)]).join('')}`

/** Address that opens WhatsApp with a message whose code proves that the sender's number belongs to the account. */
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

/** The conversation, locked, of the applicant who has proven this number, be it by the code in these words. */
export async function lockConversationByPhone(tx: Tx, phone: string, words: string | null, now: Date) {
  const code = words && codePattern.exec(words)?.[0]
  if (code) await proveByCode(tx, phone, code, now)
  return tx
    .selectFrom('conversations')
    .selectAll()
    .where('provenPhone', '=', phone)
    .where('accountId', 'in', (eb) =>
      eb
        .selectFrom('accounts as a')
        .innerJoin('roles as o', 'o.id', 'a.roleId')
        .select('a.id')
        .where('a.active', '=', true)
        .where('o.name', '=', applicantRole),
    )
    .forUpdate()
    .executeTakeFirst()
}

async function proveByCode(tx: Tx, phone: string, code: string, now: Date) {
  const conversation = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('linkCode', '=', code)
    .where('linkCodeUntil', '>', now)
    .forUpdate()
    .executeTakeFirst()
  if (!conversation) return
  // The number leaves the account that proved it before.
  await tx
    .updateTable('conversations')
    .set({ provenPhone: null, whatsappConnectionId: null, whatsappPhone: null, whatsappAt: null })
    .where('provenPhone', '=', phone)
    .where('id', '<>', conversation.id)
    .execute()
  await tx
    .updateTable('conversations')
    .set({ provenPhone: phone, linkCode: null, linkCodeUntil: null })
    .where('id', '=', conversation.id)
    .execute()
  await noteLink(tx, conversation, phone, now)
}

async function noteLink(tx: Tx, conversation: ConversationRow, phone: string, now: Date) {
  const detail = maskPhone(phone)
  await appendHappening(tx, conversation, 'linked', { by: null, detail }, now)
  await recordAudit(tx, systemActor, 'chat.linked', { type: 'chat', id: conversation.id }, { after: { phone: detail } })
}
