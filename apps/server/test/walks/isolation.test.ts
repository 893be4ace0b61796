import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aStoredPicture } from '#server-test/factories/applicants.ts'
import { someSending } from '#server-test/factories/campaigns.ts'
import { aLetter, aLetterBatch } from '#server-test/factories/letters.ts'
import { aRefund, aVoucherUse } from '#server-test/factories/payments.ts'
import { reserveAndRequestOf } from '#server-test/factories/reserve.ts'
import { aMatchedLine } from '#server-test/factories/statements.ts'
import { aWithdrawnNumber } from '#server-test/factories/students.ts'
import { endlessPath } from '#server-test/routes.ts'
import { type JsonSchema, type NamedValues, sampleFrom } from '#server-test/sample.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

type Operation = {
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  parameters?: { name: string; in: string }[]
}
type Route = { method: 'get' | 'post' | 'put' | 'patch' | 'delete'; path: string; operation: Operation }

let t: TestApp
let routes: Route[]
let owner: TestActor
let stranger: TestActor
/** Ids of the owner's rows, by the path segment before the parameter. */
let ids: Record<string, string>
let namedValues: NamedValues
let secrets: string[]

const routesOf = (app: TestApp['app']) => {
  const { paths } = (app as unknown as { swagger(): { paths: Record<string, Record<string, Operation>> } }).swagger()
  const entries = Object.entries(paths).filter(([path]) => path !== endlessPath)
  return entries.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method as Route['method'], path, operation })),
  )
}

beforeAll(async () => {
  t = await testApp()
  routes = routesOf(t.app)
  const first = await aRegistration(t, { status: 'enrolled' })
  owner = first.applicant
  const { academic } = first
  const draft = await aRegistration(t, { applicant: owner, trackId: academic.tracks.achievement })
  await owner.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Pesan Rahasia Pemilik' })
  stranger = await asApplicant(t, { profile: true, name: 'Orang Lain' })
  const { db } = t
  const idOf = async (table: string, column: string, value: string) =>
    (
      await sql<{ id: string }>`SELECT id FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${value} LIMIT 1`.execute(
        db,
      )
    ).rows[0]!.id
  const bill = await idOf('bills', 'account_id', owner.accountId)
  const account = await db
    .insertInto('virtualAccounts')
    .values({
      billId: bill,
      provider: 'sandbox',
      bank: 'sandbox-a',
      number: '8899000000000001',
      amount: 1000,
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const paymentLink = await db
    .insertInto('paymentLinks')
    .values({ billId: bill, createdBy: owner.accountId, createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const transferProof = await db
    .insertInto('transferProofs')
    .values({
      ...{ billId: bill, fileId: await aStoredPicture(t, owner.accountId, 'transfer-proof'), amount: 1000 },
      ...{ paidAt: new Date(), fromBank: 'Bank Rahasia', sentBy: owner.accountId, sentAt: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const payment = await db
    .insertInto('payments')
    .values({
      provider: 'sandbox',
      providerReference: 'isolation',
      virtualAccountNumber: '8899000000000001',
      virtualAccountId: account.id,
      accountId: owner.accountId,
      amount: 1000,
      status: 'waiting',
      waitingAmount: 1000,
      waitingReason: 'bill_settled',
      receiptNumber: 'KW-RAHASIA-1',
      paidAt: new Date(),
      receivedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const seat = await db
    .insertInto('testSeats')
    .values({ testSessionId: academic.testSession, registrationId: first.id, status: 'booked', bookedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = await db
    .insertInto('messages')
    .values({
      accountId: owner.accountId,
      channel: 'inbox',
      event: 'secret',
      language: 'id',
      subject: 'Pesan rahasia',
      body: 'Isi rahasia',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = await aStoredPicture(t, owner.accountId)
  await db.insertInto('drivingLicences').values({ accountId: owner.accountId, drives: false }).execute()
  await db
    .insertInto('questionnaires')
    .values({
      accountId: owner.accountId,
      reasons: ['other'],
      criteria: ['other'],
      sources: ['other'],
      answeredAt: new Date(),
    })
    .execute()
  const view = await db
    .insertInto('savedViews')
    .values({ accountId: owner.accountId, list: 'pendaftaran', name: 'Tampilan rahasia', query: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sheet = await db
    .insertInto('imports')
    .values({
      entity: 'agama',
      accountId: owner.accountId,
      accountName: 'Pemilik',
      language: 'id',
      acting: '{}',
      fileName: 'rahasia.csv',
      format: 'csv',
      bytes: 1,
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const document = await db
    .selectFrom('documents')
    .select('id')
    .where('registrationId', '=', draft.id)
    .executeTakeFirstOrThrow()
  const refund = await aRefund(t, { registrationId: first.id, paymentId: payment.id, requestedBy: owner.accountId })
  const statement = await aMatchedLine(t, { paymentId: payment.id, importedBy: owner.accountId, fileId: file })
  const photoDownload = await db
    .insertInto('photoDownloads')
    .values({
      accountId: owner.accountId,
      kind: 'zip',
      fileName: 'rahasia.zip',
      width: 354,
      height: 472,
      template: '{npm}',
      registrationIds: [first.id],
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { reservePlace, programmeRequest } = await reserveAndRequestOf(t, first.id, academic.programmes[0])
  const letter = await aLetter(t, first.id)
  const uploading = await owner.post('/uploads', { name: 'Pesan rahasia.pdf', bytes: 300_000 })
  expect(uploading.statusCode, uploading.body).toBe(200)
  const upload = uploading.json().data
  ids = {
    conversations: (await owner.get('/chat/own')).json().data.id,
    ...(await someSending(t, await asStaff(t))),
    reserve: reservePlace,
    terbit: letter,
    massal: await aLetterBatch(t, first.id, letter),
    chunks: '1',
    requests: programmeRequest,
    pendaftaran: draft.id,
    'npm-mahasiswa': first.id,
    'mahasiswa-feeder': first.id,
    cards: await aWithdrawnNumber(t, {
      registrationId: first.id,
      programmeId: academic.programmes[0],
      npm: 'TARIK-RAHASIA',
      accountId: owner.accountId,
    }),
    'berkas-mahasiswa': first.id,
    'enrolment-data': first.id,
    letters: first.id,
    papers: await aPaperReceipt(first.id, owner.accountId),
    'jaket-mahasiswa': first.id,
    'sim-mahasiswa': owner.accountId,
    'photo-downloads': photoDownload.id,
    documents: document.id,
    files: document.id,
    bills: bill,
    'payment-links': paymentLink.id,
    uploads: upload.id,
    'bukti-transfer': transferProof.id,
    'virtual-accounts': account.id,
    'transaksi-va': account.id,
    'payment-alerts': account.id,
    payments: payment.id,
    'pembayaran-mahasiswa': payment.id,
    persetujuan: refund.approval,
    'uang-menunggu': payment.id,
    'bank-accounts': statement.account,
    'statement-lines': statement.line,
    statements: statement.statement,
    rekonsiliasi: statement.day,
    'reconciliation-differences': statement.difference,
    refunds: refund.refund,
    'test-seats': seat.id,
    'jadwal-test': academic.testSession,
    vouchers: (await aVoucherUse(t, draft.id)).id,
    messages: message.id,
    imports: sheet.id,
    views: view.id,
    'report-mails': await aMailOf(owner.accountId),
    accounts: owner.accountId,
    sessions: await idOf('sessions', 'account_id', owner.accountId),
    file,
  }
  namedValues = {
    ids: [draft.id, first.id],
    accountId: owner.accountId,
    programmeId: academic.programmes[1],
    choices: [academic.programmes[1]],
    testSessionId: academic.testSession,
    installmentPlanId: academic.plan,
    entryLevelId: academic.entryLevel,
    version: 1,
    reason: 'alasan contoh',
    bank: 'sandbox-a',
    email: 'baru@contoh.test',
  }
  const profile = await db
    .selectFrom('applicants')
    .select(['fullName', 'nik', 'phone'])
    .where('accountId', '=', owner.accountId)
    .executeTakeFirstOrThrow()
  secrets = [
    draft.id,
    first.id,
    draft.code,
    first.code,
    owner.email,
    owner.accountId,
    profile.fullName,
    profile.nik!,
    profile.phone!,
    'Pesan rahasia',
    'TTB-RAHASIA',
    'TARIK-RAHASIA',
    'Tampilan rahasia',
    'Kiriman rahasia',
    'KW-RAHASIA-1',
    bill,
  ]
}, 120_000)
afterAll(() => t.close())

/** A scheduled mail that an account kept from its time as staff. */
async function aMailOf(ownerId: string) {
  const now = new Date()
  const { id } = await t.db
    .insertInto('reportMails')
    .values({
      ...{ ownerId, name: 'Kiriman rahasia', report: 'camaba', question: '', columns: [], rhythm: 'daily', hour: 7 },
      ...{ format: 'csv', skipsEmpty: false, nextDueAt: now, createdAt: now, updatedAt: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A receipt of a paper copy of one document. */
async function aPaperReceipt(registrationId: string, receivedBy: string) {
  const receipt = await t.db
    .insertInto('paperReceipts')
    .values({ registrationId, receivedBy, number: 'TTB-RAHASIA', broughtBy: 'Pengantar', receivedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return receipt.id
}

/**
 * Calls that concern no applicant: public pages whose parameter names no person, master data, menus, roles, WhatsApp
 * and bank connections, and the demo outbox, which exists only in demo mode.
 */
const ofNobody =
  /^\/api\/((master|afiliator|survei|event-afiliator|acara|tiket|opt-out|komisi|marketing|admission-years|regions|verifikasi(-kuitansi)?|sandbox-bank|providers|score-imports|score-runs|snap|branding|chat\/replies|seleksi(?!\/reserve)|surat(?!\/(terbit|massal))|settings\/(url|roles|permissions|whatsapp|providers|health|campus|feeder)|workbook|whatsapp)\/|outbox$)/

/** The path with the owner's ids; an unknown parameter fails the test. */
function withOwnersIds(path: string): string {
  return path.replace(/\/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const id = name === 'documentId' ? ids.documents : segment === 'files' && name === 'id' ? ids.file : ids[segment]
    if (!id) throw new Error(`${path}: say in this test whose ${name} this is`)
    return `/${segment}/${id}`
  })
}

const bodyOf = ({ operation }: Route): unknown => {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema && sampleFrom(schema, namedValues)
}

const send = (actor: TestActor, route: Route, path: string) =>
  route.method === 'get' || route.method === 'delete'
    ? actor[route.method](path)
    : actor[route.method](path, bodyOf(route) ?? {})

const tables = [
  ['registrations', 'account_id'],
  ['applicants', 'account_id'],
  ['accounts', 'id'],
  ['sessions', 'account_id'],
  ['bills', 'account_id'],
  ['payments', 'account_id'],
  ['messages', 'account_id'],
  ['files', 'owner_account_id'],
  ['driving_licences', 'account_id'],
  ['questionnaires', 'account_id'],
  ['students', 'account_id'],
] as const
const tablesBelow = [
  'registration_choices',
  'documents',
  'test_seats',
  'test_scores',
  'registration_notes',
  'bills',
] as const

/** All stored rows of the owner, in one text. */
async function everythingOf(accountId: string): Promise<string> {
  const ownRows = tables.map(([table, column]) =>
    sql<{
      row: unknown
    }>`SELECT to_jsonb(x) AS row FROM ${sql.table(table)} x WHERE ${sql.ref(column)} = ${accountId} ORDER BY x::text`.execute(
      t.db,
    ),
  )
  const rowsBelow = tablesBelow.map((table) =>
    sql<{ row: unknown }>`SELECT to_jsonb(x) AS row FROM ${sql.table(table)} x
      WHERE registration_id IN (SELECT id FROM registrations WHERE account_id = ${accountId}) ORDER BY x::text`.execute(
      t.db,
    ),
  )
  return JSON.stringify((await Promise.all([...ownRows, ...rowsBelow])).map(({ rows }) => rows.map(({ row }) => row)))
}

describe('rows of another applicant', () => {
  test('no route shows or changes anything of another applicant', async () => {
    const rowsBefore = await everythingOf(owner.accountId)
    const leaks: string[] = []
    for (const route of routes) {
      if (ofNobody.test(route.path) || route.path.endsWith('/logout')) continue
      const hasIds = route.path.includes('{')
      const answer = await send(stranger, route, withOwnersIds(route.path))
      const leakedSecret = secrets.find((secret) => answer.body.includes(secret))
      const callText = `${route.method.toUpperCase()} ${route.path} → ${answer.statusCode}`
      if (leakedSecret) leaks.push(`${callText} tells ${leakedSecret}`)
      if (hasIds && answer.statusCode < 300) leaks.push(`${callText} succeeds`)
      if (answer.statusCode >= 500) leaks.push(`${callText}: ${answer.body}`)
    }
    expect(leaks).toEqual([])
    expect(await everythingOf(owner.accountId)).toBe(rowsBefore)
  }, 60_000)

  test('every route that is not public is refused when signed out', async () => {
    const unguarded: string[] = []
    for (const { method, path, operation } of routes) {
      if (!operation.security) continue
      const url = path.replace(/\{\w+\}/g, ids.pendaftaran!)
      const { statusCode } = await t.app.inject({ method: method.toUpperCase() as 'GET', url })
      if (statusCode !== 401) unguarded.push(`${method.toUpperCase()} ${path} → ${statusCode}`)
    }
    expect(unguarded).toEqual([])
  })

  test('staff without a permission are refused wherever one is required', async () => {
    const nobody = await asWithPermissions(t, [])
    const unguarded: string[] = []
    for (const route of routes) {
      const permissionMatch = /permission `([\w-]+)`/.exec(
        (route.operation as { description?: string }).description ?? '',
      )
      if (!permissionMatch) continue
      const url = route.path.replace(/\{\w+\}/g, ids.pendaftaran!)
      const { statusCode } = await send(nobody, route, url)
      if (statusCode !== 403) unguarded.push(`${route.method.toUpperCase()} ${route.path} → ${statusCode}`)
    }
    expect(unguarded).toEqual([])
  })
})
