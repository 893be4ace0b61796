import { sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { academicOf, aRegistration, officerOf } from '#server-test/factories/admissions.ts'
import { aStoredPicture } from '#server-test/factories/applicants.ts'
import { aLetter, aLetterBatch } from '#server-test/factories/letters.ts'
import { aRefund, aVoucherUse } from '#server-test/factories/payments.ts'
import { reserveAndRequestOf } from '#server-test/factories/reserve.ts'
import { aWithdrawnNumber } from '#server-test/factories/students.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Ids of a registration and its rows; `marks` are texts that reveal it in an answer. */
export type Trail = {
  programmeId: string
  status: RegistrationStatus
  registration: string
  code: string
  bill: string
  payment: string
  receipt: string
  virtualAccount: string
  paymentLink: string
  transferProof: string
  alert: string
  document: string
  seat: string
  voucherUse: string
  approval: string
  refund: string
  /** Change from another programme, visible only to roles that see that programme. */
  programmeChange: string
  programmeRequest: string
  reservePlace: string
  letter: string
  /** Print run of a card whose number was withdrawn. */
  cardPrint: string
  /** Batch of letters that another user started. */
  letterBatch: string
  /** The applicant's conversation with the office, and its message. */
  conversation: string
  chatMessage: string
  /** All bills of the registration. */
  bills: string[]
  /** Payments on these bills. */
  payments: string[]
  applicant: string
  /** Another account's import of the programme's fees. */
  imported: string
  marks: string[]
}

export type Programme = { id: string; facultyId: string; name: string }

/** Two faculties with two programmes each, with master data per programme and registrations in different statuses. */
export async function fourProgrammes(t: TestApp) {
  const { db } = t
  const academic = await academicOf(t)
  const { id: facultyId } = await db
    .insertInto('faculties')
    .values({ code: 'FEB', name: 'Fakultas Ekonomi' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ids: string[] = [...academic.programmes]
  for (const code of ['MN', 'AK']) {
    const { id } = await db
      .insertInto('studyProgrammes')
      .values({ code, name: code, facultyId, degreeLevelId: academic.degreeLevel, npmCode: code })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
    const offer = { programmeId: id, waveId: academic.wave, classProgrammeId: academic.classProgramme }
    await db
      .insertInto('programmeDetails')
      .values({ ...offer, entryLevelId: academic.entryLevel, capacity: 40 })
      .execute()
    await db
      .insertInto('tuitionFees')
      .values({ ...offer, feeComponentId: academic.feeComponents.semester, amount: 5_000_000 })
      .execute()
  }
  const programmes: Programme[] = []
  for (const [n, id] of ids.entries()) {
    const name = `Program Unik ${n + 1}`
    const row = await db
      .updateTable('studyProgrammes')
      .set({ name, code: `UNIK${n + 1}` })
      .where('id', '=', id)
      .returning('facultyId')
      .executeTakeFirstOrThrow()
    programmes.push({ id, facultyId: row.facultyId, name })
    await db.insertInto('donations').values({ waveId: academic.wave, programmeId: id, minimumAmount: n }).execute()
  }
  await db.insertInto('donations').values({ waveId: academic.wave, programmeId: null, minimumAmount: 9 }).execute()
  const trails: Trail[] = []
  const came: [number, RegistrationStatus][] = [
    [0, 'enrolled'],
    [0, 'paid'],
    [1, 'enrolled'],
    [1, 'draft'],
    [2, 'confirmed'],
    [2, 'decided'],
    [3, 'enrolled'],
    [3, 'verified'],
  ]
  for (const [n, status] of came) trails.push(await aTrail(t, programmes[n]!.id, status, trails.length + 1))
  return { academic, programmes, trails }
}

async function aTrail(t: TestApp, programmeId: string, status: RegistrationStatus, n: number): Promise<Trail> {
  const { db } = t
  const { id, code, applicant, academic } = await aRegistration(t, { status, choices: [programmeId] })
  const officer = await officerOf(t)
  const fullName = `Pendaftar Ke${n} Unik`
  const { nik } = await db
    .updateTable('applicants')
    .set({ fullName })
    .where('accountId', '=', applicant.accountId)
    .returning('nik')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('drivingLicences')
    .values({
      accountId: applicant.accountId,
      drives: true,
      class: 'C',
      number: '123456789012',
      expiresOn: '2030-01-01',
    })
    .execute()
  const { id: bill } =
    (await db.selectFrom('bills').select('id').where('registrationId', '=', id).executeTakeFirst()) ??
    (await db
      .insertInto('bills')
      .values({
        number: `INV-UNIK-${n}`,
        registrationId: id,
        accountId: applicant.accountId,
        kind: 'registration_fee',
        status: 'cancelled',
        total: 1000,
        issuedAt: t.clock.now(),
        dueAt: later(t),
      })
      .returning('id')
      .executeTakeFirstOrThrow())
  const number = `88990000000${String(n).padStart(5, '0')}`
  const account = await db
    .insertInto('virtualAccounts')
    .values({ billId: bill, provider: 'sandbox', bank: 'sandbox-a', number, amount: 1000, expiresAt: later(t) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const receipt = `KW-UNIK-${n}`
  const paymentLink = await db
    .insertInto('paymentLinks')
    .values({ billId: bill, createdBy: applicant.accountId, createdAt: t.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const transferProof = await db
    .insertInto('transferProofs')
    .values({
      billId: bill,
      fileId: await aStoredPicture(t, applicant.accountId, 'transfer-proof'),
      amount: 1000,
      paidAt: t.clock.now(),
      fromBank: `Bank unik ${n}`,
      sentBy: applicant.accountId,
      sentAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const payment = await db
    .insertInto('payments')
    .values({
      provider: 'sandbox',
      providerReference: receipt,
      virtualAccountNumber: number,
      virtualAccountId: account.id,
      accountId: applicant.accountId,
      amount: 1000,
      status: 'waiting',
      waitingAmount: 1000,
      waitingReason: 'bill_settled',
      receiptNumber: receipt,
      paidAt: t.clock.now(),
      receivedAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const alert = await db
    .insertInto('paymentAlerts')
    .values({
      kind: 'reversed_by_bank',
      provider: 'sandbox',
      providerReference: receipt,
      virtualAccountId: account.id,
      paymentId: payment.id,
      raisedAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const seat = await db
    .insertInto('testSeats')
    .values({ testSessionId: academic.testSession, registrationId: id, status: 'booked', bookedAt: t.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('testScores')
    .values({ registrationId: id, testId: academic.test, score: 60, recordedAt: t.clock.now() })
    .execute()
  await db
    .insertInto('questionnaires')
    .values({
      accountId: applicant.accountId,
      reasons: ['cost'],
      criteria: ['quality'],
      sources: ['teacher'],
      answeredAt: t.clock.now(),
    })
    .execute()
  await db
    .insertInto('registrationNotes')
    .values({ registrationId: id, authorId: officer.accountId, body: `Catatan unik ${n}.` })
    .execute()
  const document = await db
    .selectFrom('documents')
    .select('id')
    .where('registrationId', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('documents')
    .set({ fileId: await aStoredPicture(t, applicant.accountId), status: 'uploaded' })
    .where('id', '=', document.id)
    .execute()
  const voucher = await aVoucherUse(t, id)
  const { approval, refund } = await aRefund(t, {
    registrationId: id,
    paymentId: payment.id,
    requestedBy: officer.accountId,
  })
  const { id: programmeChange } = await db
    .insertInto('programmeChanges')
    .values({
      registrationId: id,
      fromProgrammeId: academic.programmes.find((otherProgrammeId) => otherProgrammeId !== programmeId)!,
      toProgrammeId: programmeId,
      fromClassProgrammeId: academic.classProgramme,
      toClassProgrammeId: academic.classProgramme,
      status: 'paid',
      totalBefore: 0,
      totalAfter: 0,
      reason: `Alasan unik ${n}.`,
      changedBy: officer.accountId,
      changedAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { programmeRequest, reservePlace } = await reserveAndRequestOf(t, id, programmeId, `Permohonan unik ${n}.`)
  const letter = await aLetter(t, id)
  const withdrawnNpm = `TARIK-UNIK-${n}`
  const cardPrint = await aWithdrawnNumber(t, {
    registrationId: id,
    programmeId,
    npm: withdrawnNpm,
    accountId: officer.accountId,
  })
  const letterBatch = await aLetterBatch(t, id, letter)
  const { id: imported } = await db
    .insertInto('imports')
    .values({
      entity: 'uang-kuliah',
      parentId: programmeId,
      accountId: officer.accountId,
      accountName: officer.name,
      language: 'id',
      fileName: `berkas-unik-${n}.csv`,
      format: 'csv',
      bytes: 10,
      acting: JSON.stringify({ role: officer.role, scope: officer.scope, mayUpdate: true, request: null }),
      status: 'failed',
      createdAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const chatMessage = crypto.randomUUID()
  await applicant.post('/chat/own/messages', { id: chatMessage, body: `Obrolan unik ${n}.` })
  const conversation = (await applicant.get('/chat/own')).json().data.id as string
  const { rows } = await sql<{ mark: string }>`
    SELECT id::text AS mark FROM bills WHERE registration_id = ${id}
    UNION SELECT number FROM bills WHERE registration_id = ${id}
    UNION SELECT id::text FROM documents WHERE registration_id = ${id}
    UNION SELECT npm FROM students WHERE registration_id = ${id}`.execute(db)
  const marks = [
    ...rows.map(({ mark }) => mark),
    ...[id, code, applicant.accountId, applicant.email, fullName, nik!, account.id, number, payment.id, receipt],
    ...[
      seat.id,
      voucher.id,
      paymentLink.id,
      transferProof.id,
      `Bank unik ${n}`,
      approval,
      refund,
      imported,
      `berkas-unik-${n}.csv`,
      programmeChange,
      programmeRequest,
      reservePlace,
      letter,
      cardPrint,
      withdrawnNpm,
      letterBatch,
      `Alasan unik ${n}.`,
      `Permohonan unik ${n}.`,
      `Catatan unik ${n}.`,
      conversation,
      chatMessage,
      `Obrolan unik ${n}.`,
    ],
  ]
  const bills = await db.selectFrom('bills').select('id').where('registrationId', '=', id).execute()
  const payments = await db
    .selectFrom('payments')
    .innerJoin('bills', 'bills.id', 'payments.billId')
    .select('payments.id')
    .where('bills.registrationId', '=', id)
    .execute()
  return {
    programmeId,
    status,
    bills: bills.map((row) => row.id),
    payments: payments.map((row) => row.id),
    registration: id,
    code,
    bill,
    payment: payment.id,
    receipt,
    virtualAccount: account.id,
    paymentLink: paymentLink.id,
    transferProof: transferProof.id,
    alert: alert.id,
    document: document.id,
    seat: seat.id,
    voucherUse: voucher.id,
    approval,
    refund,
    programmeChange,
    programmeRequest,
    reservePlace,
    letter,
    cardPrint,
    letterBatch,
    conversation,
    chatMessage,
    applicant: applicant.accountId,
    imported,
    marks,
  }
}

const later = (t: TestApp) => new Date(t.clock.now().getTime() + 86_400_000)
