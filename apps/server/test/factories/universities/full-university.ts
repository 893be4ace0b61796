import { entities, getEntity } from '#entities/index.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { someCommission } from '#server-test/factories/affiliates.ts'
import { aStoredPicture } from '#server-test/factories/applicants.ts'
import { someSending } from '#server-test/factories/campaigns.ts'
import { aPublishedEvent } from '#server-test/factories/events.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { masterRows } from '#server-test/factories/master.ts'
import { aProvider, providerInput } from '#server-test/factories/providers.ts'
import { aReportMail } from '#server-test/factories/report-mail.ts'
import { aMatchedLine } from '#server-test/factories/statements.ts'
import { anOpenSurvey } from '#server-test/factories/surveys.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { fourProgrammes } from './four-programmes.ts'

export type FullUniversity = Awaited<ReturnType<typeof fullUniversity>>

/** Four programmes with registrations and money, a row of every master entity, and rows in all other staff lists. */
export async function fullUniversity(t: TestApp) {
  const { db } = t
  const world = await fourProgrammes(t)
  const admin = await asStaff(t)
  const master = masterRows(t, admin)
  /** One row of each entity, by its slug. */
  const rows: Record<string, Record<string, unknown> & { id: string }> = {}
  for (const entity of entities) rows[entity.slug] = await master.create(entity)
  const [trail] = world.trails
  const fileId = await aStoredPicture(t, trail!.applicant)
  const statement = await aMatchedLine(t, { paymentId: trail!.payment, importedBy: admin.accountId, fileId })
  const { id: connection } = await db
    .insertInto('whatsappConnections')
    .values({ name: 'Koneksi Uji', kind: 'log' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const provider = await aProvider(t, providerInput('midtrans'))
  const letter = { channel: 'inbox', event: 'secret', language: 'id', body: 'Isi rahasia' } as const
  const [message] = await db
    .insertInto('messages')
    .values([
      { ...letter, accountId: trail!.applicant, subject: 'Pesan rahasia' },
      { ...letter, accountId: admin.accountId, subject: 'Pesan pengelola' },
    ])
    .returning('id')
    .execute()
  const { id: view } = await db
    .insertInto('savedViews')
    .values({ accountId: admin.accountId, list: 'pendaftaran', name: 'Tampilan rahasia', query: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { pair, merge, school } = await someSchools(t, admin, master)
  await db
    .insertInto('invariantFindings')
    .values({
      checkName: 'bill-paid',
      subjectType: 'bill',
      subjectId: trail!.bill,
      label: 'Temuan rahasia',
      firstSeenAt: t.clock.now(),
      lastSeenAt: t.clock.now(),
    })
    .execute()
  await db
    .insertInto('imports')
    .values({
      entity: 'workbook',
      format: 'xlsx',
      accountId: admin.accountId,
      accountName: 'Pengelola rahasia',
      language: 'id',
      acting: '{}',
      fileName: 'pengaturan-rahasia.xlsx',
      bytes: 10,
      status: 'checked',
      createdAt: t.clock.now(),
    })
    .execute()
  const { id: scoreImport } = await db
    .insertInto('imports')
    .values({
      entity: 'scores',
      accountId: admin.accountId,
      accountName: 'Pengelola rahasia',
      language: 'id',
      acting: '{}',
      fileName: 'nilai-rahasia.csv',
      format: 'csv',
      bytes: 10,
      status: 'uploaded',
      createdAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('scoreImports')
    .values({ id: scoreImport, waveId: world.academic.wave, headers: '[]', samples: '[]' })
    .execute()
  const { id: scoreRun } = await db
    .insertInto('scoreRuns')
    .values({
      name: 'Perhitungan rahasia',
      waveId: world.academic.wave,
      methods: '[]',
      inputHash: 'x',
      createdAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // Adds an entry to the register of exports.
  await admin.get('/master/fakultas/export?format=csv')
  const role = await db.selectFrom('roles').select('id').where('name', '=', 'Keuangan').executeTakeFirstOrThrow()
  const menu = await db.selectFrom('menus').select('id').limit(1).executeTakeFirstOrThrow()
  const photoDownload = await db
    .insertInto('photoDownloads')
    .values({
      accountId: admin.accountId,
      kind: 'zip',
      fileName: 'foto.zip',
      width: 354,
      height: 472,
      template: '{npm}_{nama}',
      registrationIds: [trail!.registration],
      createdAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('jacketMovements')
    .values({ kind: 'correction', size: 'M', quantity: 3, reason: 'Hitungan awal', at: t.clock.now() })
    .execute()
  await db
    .insertInto('feederResults')
    .values({
      ...{ registrationId: trail!.registration, target: 'sandbox', outcome: 'refused' },
      ...{ detail: 'RAHASIA', at: t.clock.now() },
    })
    .execute()
  /** An id for every path parameter, by the path segment before it. */
  const ids: Record<string, string> = {
    pendaftaran: trail!.registration,
    'npm-mahasiswa': trail!.registration,
    'mahasiswa-feeder': trail!.registration,
    cards: trail!.cardPrint,
    'berkas-mahasiswa': trail!.registration,
    'jaket-mahasiswa': trail!.registration,
    'sim-mahasiswa': trail!.applicant,
    'photo-downloads': photoDownload.id,
    documents: trail!.document,
    files: trail!.document,
    bills: trail!.bill,
    'virtual-accounts': trail!.virtualAccount,
    'transaksi-va': trail!.virtualAccount,
    'payment-links': trail!.paymentLink,
    'bukti-transfer': trail!.transferProof,
    'payment-alerts': trail!.alert,
    payments: trail!.payment,
    'pembayaran-mahasiswa': trail!.payment,
    'uang-menunggu': trail!.payment,
    persetujuan: trail!.approval,
    refunds: trail!.refund,
    'test-seats': trail!.seat,
    'jadwal-test': world.academic.testSession,
    vouchers: trail!.voucherUse,
    imports: trail!.imported,
    terbit: trail!.letter,
    massal: trail!.letterBatch,
    chunks: '1',
    'bank-accounts': statement.account,
    'statement-lines': statement.line,
    rekonsiliasi: statement.day,
    'reconciliation-differences': statement.difference,
    messages: message!.id,
    duplicates: pair,
    merges: merge,
    beside: school,
    views: view,
    'report-mails': (await aReportMail(admin, [admin], { name: 'Kiriman rahasia' })).id,
    accounts: trail!.applicant,
    url: menu.id,
    roles: role.id,
    menus: role.id,
    permissions: role.id,
    campus: (
      await admin.post('/settings/campus', { name: 'SIAKAD rahasia', withIdentity: true, programmeIds: [] })
    ).json().data.id,
    whatsapp: connection,
    providers: provider.id,
    'score-imports': scoreImport,
    'score-runs': scoreRun,
    conversations: trail!.conversation,
    replies: (
      await admin.post('/chat/replies', { title: 'Jawaban', team: null, bodyId: 'Halo', bodyEn: 'Hello', active: true })
    ).json().data.id,
    prospek: await aLead(t, { name: 'Prospek Rahasia' }),
    'data-survey-siswa': (await anOpenSurvey(t, admin)).survey.id,
    'event-afiliator': (await aPublishedEvent(t, admin)).id,
    ...(await someSending(t, admin)),
    ...(await someCommission(t, rows.afiliator!.id, trail!.registration, admin.accountId)),
  }
  return { ...world, admin, rows, ids }
}

/** A proposed school, a pair of possible duplicates, and a merge of two others. */
async function someSchools({ db, clock }: TestApp, admin: TestActor, master: ReturnType<typeof masterRows>) {
  const schools = await Promise.all([1, 2, 3, 4].map(() => master.create(getEntity('sma-nama'))))
  const [lowId, highId, survivorId, mergedId] = schools.map(({ id }) => id).toSorted()
  await db.updateTable('schools').set({ verified: false }).where('id', '=', survivorId!).execute()
  await db.updateTable('schools').set({ name: 'SMA Kembar Rahasia' }).where('id', 'in', [lowId!, highId!]).execute()
  await admin.post('/master/sma-nama/duplicates/compare', {})
  const pair = await db
    .selectFrom('schoolPairs')
    .select('id')
    .where('lowId', '=', lowId!)
    .where('highId', '=', highId!)
    .executeTakeFirstOrThrow()
  const rows = JSON.stringify(schools.filter(({ id }) => id === mergedId))
  const merge = await db
    .insertInto('schoolMerges')
    .values({
      schoolId: survivorId!,
      schoolName: 'Sekolah rahasia',
      merged: rows,
      before: JSON.stringify(schools[0]),
      versionAfter: 1,
      moved: '[]',
      mergedAt: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { pair: pair.id, merge: merge.id, school: survivorId! }
}
