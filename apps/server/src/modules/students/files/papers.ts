import type { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { paperReceiptNumber } from '#domain/settings/number-templates.ts'
import type { receivePapers as receiveCall } from '#domain/students/files/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { logoBytes } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import { nextNumber } from '#server/platform/database/numbers.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { newPdf } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { getStudent } from './get-student.ts'

const selectReceipts = (db: Db) =>
  db
    .selectFrom('paperReceipts as p')
    .innerJoin('accounts as clerk', 'clerk.id', 'p.receivedBy')
    .select([
      'p.id',
      'p.registrationId',
      'p.number',
      'p.receivedAt',
      'clerk.name as receivedBy',
      'p.broughtBy',
      'p.note',
    ])
    .select(['p.voidedAt', 'p.voidReason'])

type ReceiptRow = Awaited<ReturnType<ReturnType<typeof selectReceipts>['executeTakeFirstOrThrow']>>

async function withLines(db: Db, receipts: readonly ReceiptRow[]) {
  if (receipts.length === 0) return []
  const lines = await db
    .selectFrom('paperReceiptLines as l')
    .innerJoin('documents as d', 'd.id', 'l.documentId')
    .select(['l.receiptId', 'l.documentId', 'd.name', 'l.copies', 'l.legalised'])
    .where(
      'l.receiptId',
      'in',
      receipts.map(({ id }) => id),
    )
    .orderBy('d.sortOrder')
    .orderBy('d.name')
    .execute()
  const linesOf = Map.groupBy(lines, ({ receiptId }) => receiptId)
  return receipts.map((receipt) => ({ ...receipt, lines: linesOf.get(receipt.id) ?? [] }))
}

/** Receipts of a registration with the documents on them, newest first. */
export const receiptsOf = async (db: Db, registrationId: string) =>
  withLines(
    db,
    await selectReceipts(db)
      .where('p.registrationId', '=', registrationId)
      .orderBy('p.receivedAt', 'desc')
      .orderBy('p.id')
      .execute(),
  )

/** A receipt with its student; 404 if the actor may not see the registration. */
async function getReceipt(db: Db, actor: Actor, receiptId: string) {
  const row = await selectReceipts(db).where('p.id', '=', receiptId).executeTakeFirst()
  if (!row) throw notFound('receipt')
  const student = await getStudent(db, actor, row.registrationId)
  return { receipt: theOnly(await withLines(db, [row])), student }
}

type Papers = z.output<(typeof receiveCall)['body']>

/**
 * Records paper copies handed in and numbers the receipt. Throws 422 for a document of another registration, 409 for a
 * document already on a valid receipt.
 */
export async function receivePapers(services: Services, actor: Actor, registrationId: string, papers: Papers) {
  const { db, clock } = services
  const now = clock.now()
  const { lines, ...handover } = papers
  const receiptId = await db.transaction().execute(async (tx) => {
    await getStudent(tx, actor, registrationId)
    const documents = await tx
      .selectFrom('documents')
      .select(['id', 'name'])
      .where('registrationId', '=', registrationId)
      .where(
        'id',
        'in',
        lines.map(({ documentId }) => documentId),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    if (documents.length !== lines.length) throw invalid({ lines: { code: 'not_found' } })
    await refuseReceived(
      tx,
      documents.map(({ id }) => id),
    )
    const year = universityCalendar().dayOf(now).slice(0, 4)
    const number = await nextNumber(tx, 'paper-receipt', year, paperReceiptNumber, { YYYY: year })
    const { id } = await tx
      .insertInto('paperReceipts')
      .values({ ...handover, registrationId, number, receivedAt: now, receivedBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('paperReceiptLines')
      .values(lines.map((line) => ({ ...line, receiptId: id, registrationId })))
      .execute()
    await recordAudit(tx, actor, {
      action: 'paper.receive',
      on: { registration: registrationId },
      after: { number, broughtBy: papers.broughtBy, documents: documents.map(({ name }) => name) },
    })
    return id
  })
  return (await getReceipt(db, actor, receiptId)).receipt
}

/**
 * Throws 409 with the receipt's number if one of these documents is already on a valid receipt. The caller holds locks
 * on the documents.
 */
async function refuseReceived(tx: Db, documentIds: readonly string[]) {
  const received = await tx
    .selectFrom('paperReceiptLines as l')
    .innerJoin('paperReceipts as p', 'p.id', 'l.receiptId')
    .innerJoin('documents as d', 'd.id', 'l.documentId')
    .select(['d.name', 'p.number'])
    .where('l.documentId', 'in', documentIds)
    .where('l.counts', 'is', true)
    .orderBy('p.number')
    .executeTakeFirst()
  if (received) throw conflict('paper_received', received)
}

/** Voids a receipt; 409 if it is already void. */
export async function voidPapers({ db, clock }: Services, actor: Actor, receiptId: string, reason: string) {
  await db.transaction().execute(async (tx) => {
    const { receipt } = await getReceipt(tx, actor, receiptId)
    const voided = await tx
      .updateTable('paperReceipts')
      .set({ voidedAt: clock.now(), voidedBy: actor.accountId, voidReason: reason })
      .where('id', '=', receiptId)
      .where('voidedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!voided) throw conflict('receipt_void')
    await recordAudit(tx, actor, {
      action: 'paper.void',
      on: { registration: receipt.registrationId },
      before: { number: receipt.number },
      reason,
    })
  })
  return (await getReceipt(db, actor, receiptId)).receipt
}

/** Draws the receipt for paper copies as PDF; a void receipt is marked. */
export async function drawPaperReceipt(services: Services, actor: Actor, receiptId: string, language: Language) {
  const { receipt, student } = await getReceipt(services.db, actor, receiptId)
  const settings = await getSettings(services.db)
  const t = sentences(language)
  const at = dateTime(receipt.receivedAt, language, settings.timeZone)
  const pdf = await newPdf({
    title: t('student-files:receipt.title'),
    settings,
    logo: await logoBytes(services, settings),
    footer: receipt.number,
  })
  pdf.facts([
    [t('student-files:receipt.number'), receipt.number],
    ...(receipt.voidedAt ? [[t('student-files:receipt.void'), receipt.voidReason ?? ''] as const] : []),
    [t('student-files:column.name'), student.name],
    [t('student-files:column.code'), student.npm ? `${student.code} · ${student.npm}` : student.code],
    [t('student-files:column.programme'), student.programme ?? ''],
    [t('student-files:papers.broughtBy'), receipt.broughtBy],
    [t('student-files:receipt.receivedAt'), at],
    [t('student-files:receipt.receivedBy'), receipt.receivedBy],
    ...(receipt.note ? [[t('student-files:papers.note'), receipt.note] as const] : []),
  ])
  pdf.doc.moveDown(0.5)
  pdf.table(
    [
      { label: t('student-files:column.requirement'), width: 300 },
      { label: t('student-files:papers.copies'), width: 70, align: 'right' },
      { label: t('student-files:papers.legalised'), width: 100 },
    ],
    receipt.lines.map(({ name, copies, legalised }) => [
      name,
      String(copies),
      t(legalised ? 'common:yes' : 'common:no'),
    ]),
  )
  const half = pdf.width / 2
  const y = pdf.doc.moveDown(2).y
  const sign = (left: number, role: string, name: string) => {
    pdf.doc.text(role, left, y, { width: half - 20 })
    pdf.doc.text(`(${name})`, left, y + 60, { width: half - 20 })
  }
  sign(pdf.left, t('student-files:papers.broughtBy'), receipt.broughtBy)
  sign(pdf.left + half, t('student-files:receipt.receivedBy'), receipt.receivedBy)
  return { name: receipt.number, bytes: await pdf.bytes() }
}
