import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { aWithdrawnNumber } from '#server-test/factories/students.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
const day = 86_400_000

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t?.close())

async function figures(slug: ReportSlug, query: Record<string, string> = {}, actor = staff) {
  const answer = await actor.get(`/reports/${slug}/figures?${new URLSearchParams({ compare: 'no', ...query })}`)
  expect(answer.statusCode, answer.body).toBe(200)
  const { lines, total } = answer.json().data as { lines: ReportLine[]; total: ReportLine }
  return {
    lines,
    total: total.values,
    of: (label: string) => lines.find(({ labels }) => Object.values(labels).includes(label))?.values,
  }
}
async function rows(
  slug: ReportSlug,
  figure: string,
  keys: ReportLine['keys'] = {},
  query: Record<string, string> = {},
  actor = staff,
) {
  const answer = await actor.get(
    `/reports/${slug}/rows?${new URLSearchParams({ ...query, figure, cell: writeCell(keys), per_page: '100' })}`,
  )
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.map(({ cells }: { cells: Record<string, unknown> }) => cells) as Record<
    string,
    string | number | null
  >[]
}
const setSize = (accountId: string, clothesSize: 'M' | 'L') =>
  t.db.updateTable('applicants').set({ clothesSize }).where('accountId', '=', accountId).execute()
const yesterday = () => new Date(t.clock.now().getTime() - day).toISOString().slice(0, 10)
async function deliver(size: string, quantity: number) {
  const answer = await staff.post('/jaket-mahasiswa/deliveries', {
    supplier: 'Konveksi Maju',
    reference: `SJ/${size}`,
    receivedOn: '2026-01-01',
    sizes: [{ size, quantity }],
  })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
}

describe('jackets', () => {
  it('must be ordered in the new size after a student changes it, and stay in stock in the old one', async () => {
    const [first, second, third] = [
      await aRegistration(t, { status: 'enrolled' }),
      await aRegistration(t, { status: 'confirmed' }),
      await aRegistration(t, { status: 'enrolled' }),
    ]
    for (const { applicant } of [first, second, third]) await setSize(applicant.accountId, 'M')
    expect((await figures('ukuran-almamater')).of('M')).toMatchObject({
      confirmed: 3,
      enrolled: 2,
      ordered: 0,
      toOrder: 3,
    })
    await deliver('M', 3)
    expect((await figures('ukuran-almamater')).of('M')).toMatchObject({ ordered: 3, inStock: 3, toOrder: 0 })
    await setSize(third.applicant.accountId, 'L')
    const changed = await figures('ukuran-almamater')
    expect(changed.of('M')).toMatchObject({ confirmed: 2, inStock: 3, toOrder: 0 })
    expect(changed.of('L')).toMatchObject({ confirmed: 1, inStock: 0, toOrder: 1 })
    expect((await rows('ukuran-almamater', 'toOrder')).map(({ code }) => code)).toEqual([third.code])
  })

  it("in stock equal the desk's movements; a jacket that is handed out counts under its own size", async () => {
    const student = await aRegistration(t, { status: 'enrolled' })
    await setSize(student.applicant.accountId, 'L')
    const before = (await figures('ukuran-almamater')).of('M')!
    const answer = await staff.post('/jaket-mahasiswa', {
      registrationId: student.id,
      size: 'M',
      signature: null,
      note: 'pas',
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    const after = (await figures('ukuran-almamater')).of('M')!
    expect([after.inStock, after.handedOut, after.confirmed]).toEqual([before.inStock! - 1, 1, before.confirmed! + 1])
    const { data } = (await staff.get('/jaket-mahasiswa/stock')).json()
    expect(after.inStock).toBe(data.find(({ size }: { size: string }) => size === 'M').onHand)
    const byProgramme = await figures('ukuran-almamater', { by: 'programme' })
    expect([byProgramme.total.inStock, byProgramme.total.handedOut]).toEqual([null, 1])
    expect((await figures('ukuran-almamater', { to: yesterday() })).total).toMatchObject({
      inStock: 0,
      handedOut: 0,
      confirmed: 0,
    })
  })
})

describe('seats', () => {
  it('fill a session to its capacity and not beyond; absence is known from the end of the session', async () => {
    const academic = await academicOf(t)
    const session = await testSession(t.db, academic, t.clock.now(), { name: 'Sesi penuh', capacity: 2 })
    const [one, two, late] = [await testTaker(t, academic), await testTaker(t, academic), await testTaker(t, academic)]
    expect([(await takeSeat(one, session)).statusCode, (await takeSeat(two, session)).statusCode]).toEqual([200, 200])
    expect((await takeSeat(late, session)).statusCode).toBe(409)
    const nameOf = (all: ReportLine[]) => all.find(({ keys }) => keys.session === session)!
    const full = nameOf((await figures('camaba-cbt')).lines)
    expect(full.labels.session).toMatch(/^Sesi penuh · \d{2} \p{L}{3} \d{4}, \d{2}\.\d{2}$/u)
    expect(full.values).toMatchObject({ seats: 2, seatCapacity: 2, filled: 1, booked: 2, absent: 0 })
    await t.db
      .updateTable('testSessions')
      .set({ date: yesterday(), peopleToldAt: t.clock.now() })
      .where('id', '=', session)
      .execute()
    await t.db.updateTable('testSeats').set({ status: 'absent' }).where('registrationId', '=', two.id).execute()
    await sql`UPDATE test_seats SET status = 'attended', arrived_at = ${t.clock.now()} WHERE registration_id = ${one.id}`.execute(
      t.db,
    )
    expect(nameOf((await figures('camaba-cbt')).lines).values).toMatchObject({
      seats: 2,
      attended: 1,
      absent: 1,
      booked: 0,
    })
    const found = await rows('camaba-cbt', 'absent', { session })
    expect(found).toMatchObject([{ session: 'Sesi penuh', attendance: expect.stringMatching(/absent/i) }])
    await t.db
      .updateTable('testSeats')
      .set({ status: 'released', releasedAt: t.clock.now() })
      .where('registrationId', '=', two.id)
      .execute()
    expect(nameOf((await figures('camaba-cbt')).lines).values).toMatchObject({ seats: 1, absent: 0 })
  })
})

describe('scores', () => {
  it('have mean, median and spread of applicants with a score; an absent applicant has none', async () => {
    const academic = await academicOf(t)
    const session = await testSession(t.db, academic, t.clock.now(), { name: 'Sesi nilai', date: '2026-01-10' })
    const before = (await figures('hasil-cbt', { year: 'all', by: 'session' })).lines.length
    const takers = [
      await testTaker(t, academic),
      await testTaker(t, academic),
      await testTaker(t, academic),
      await testTaker(t, academic),
    ]
    for (const [index, { id }] of takers.entries()) {
      await t.db
        .insertInto('testSeats')
        .values({ testSessionId: session, registrationId: id, status: index === 3 ? 'absent' : 'attended' })
        .execute()
      if (index < 3)
        await t.db
          .insertInto('testScores')
          .values({
            registrationId: id,
            testId: academic.test,
            score: [40, 70, 100][index]!,
            recordedAt: new Date(t.clock.now().getTime() - 60_000),
          })
          .execute()
    }
    await t.db.updateTable('tests').set({ passingGrade: 60, maxScore: 100 }).where('id', '=', academic.test).execute()
    const { lines } = await figures('hasil-cbt', { by: 'session' })
    expect(lines).toHaveLength(before + 1)
    const { values } = lines.find(({ keys }) => keys.session === session)!
    expect(values).toMatchObject({ scored: 3, mean: 70, median: 70, passed: 2, absent: 1, passedShare: 2 / 3 })
    expect(values.spread).toBeCloseTo(Math.sqrt(600), 9)
    const classes = await figures('hasil-cbt')
    expect(classes.lines.map(({ labels, values: { scored } }) => [labels.scoreClass, scored])).toEqual(
      expect.arrayContaining([
        ['40–49 %', 1],
        ['70–79 %', 1],
        ['90–100 %', 1],
      ]),
    )
    expect(
      (await rows('hasil-cbt', 'scored', { session }, { by: 'session' })).map(({ rawScore, rank }) => [rawScore, rank]),
    ).toEqual(
      expect.arrayContaining([
        [100, 1],
        [70, 2],
        [40, 3],
      ]),
    )
  })

  it("for a past day are that day's scores, even if corrected since", async () => {
    const academic = await academicOf(t)
    const { id } = await testTaker(t, academic)
    const at = new Date(t.clock.now().getTime() - 3 * day)
    await t.db
      .insertInto('testScores')
      .values({ registrationId: id, testId: academic.test, score: 20, recordedAt: at })
      .execute()
    await t.db
      .updateTable('testScores')
      .set({ score: 55, recordedAt: t.clock.now() })
      .where('registrationId', '=', id)
      .execute()
    expect((await figures('hasil-cbt', { to: yesterday() })).of('20–29 %')).toMatchObject({ scored: 1, mean: 20 })
    expect((await figures('hasil-cbt')).of('20–29 %')).toBeUndefined()
    expect((await figures('hasil-cbt')).of('50–59 %')).toMatchObject({ scored: 1, mean: 55 })
  })
})

describe('results', () => {
  it('are hidden until their publication from readers who do not decide, in figures, rows and files', async () => {
    const { tracks } = await academicOf(t)
    await t.db.deleteFrom('resultPublications').execute()
    const accepted = await aRegistration(t, { status: 'decided', trackId: tracks.regular })
    const refused = await aRegistration(t, { status: 'decided', decision: 'not_accepted', trackId: tracks.regular })
    const withdrawn = await aRegistration(t, { status: 'decided', trackId: tracks.regular })
    await sql`UPDATE registrations SET status = 'withdrawn', closed_from = 'decided', closed_at = ${new Date(t.clock.now().getTime() - 1000)}
      WHERE id = ${withdrawn.id}`.execute(t.db)
    const reader = await asWithPermissions(t, ['laporan-hasil-kelulusan'])
    const decider = await asWithPermissions(t, ['laporan-hasil-kelulusan', 'pendaftaran-decide'])
    const codesFor = async (actor: TestActor) =>
      (await rows('hasil-kelulusan', 'decided', {}, { trackId: tracks.regular }, actor)).map(({ code }) => code)
    const file = async (actor: TestActor) =>
      (await actor.get(`/reports/hasil-kelulusan/rows/export?figure=decided&format=csv`)).body
    for (const { code } of [accepted, refused, withdrawn]) {
      expect(await codesFor(decider)).toContain(code)
      expect(await codesFor(reader)).not.toContain(code)
      expect(await file(decider)).toContain(code)
      expect(await file(reader)).not.toContain(code)
    }
    const hidden = await figures('hasil-kelulusan', { by: 'result' }, reader)
    expect(hidden.total).toMatchObject({ notAccepted: 0, declined: 0, published: hidden.total.decided, unanswered: 0 })
    await publish(t, tracks.regular)
    expect(await codesFor(reader)).toEqual(expect.arrayContaining([accepted.code, refused.code, withdrawn.code]))
    const open = await figures('hasil-kelulusan', { by: 'result' }, reader)
    expect(open.total).toMatchObject({ notAccepted: 1, declined: 1, unanswered: 1, offerExpired: 0 })
    expect(open.total.decided).toBe(open.total.accepted! + open.total.notAccepted!)
    expect((await rows('hasil-kelulusan', 'declined', {}, {}, reader))[0]!.declinedAt).not.toBeNull()
  })
})

describe('documents', () => {
  const ofFile = (id: string) =>
    t.db
      .selectFrom('documents')
      .select(['id', 'name'])
      .where('registrationId', '=', id)
      .orderBy('sortOrder')
      .limit(1)
      .executeTakeFirstOrThrow()

  it('wait for review again after a rejected one is uploaded again; the review still counts for its reviewer and day', async () => {
    const { id, code } = await aRegistration(t, { status: 'paid' })
    const file = await ofFile(id)
    const at = (days: number) => new Date(t.clock.now().getTime() - days * day)
    await t.db
      .updateTable('documents')
      .set({
        status: 'rejected',
        rejectReason: 'blurred',
        uploadedAt: at(6),
        reviewedAt: at(5),
        reviewedBy: staff.accountId,
      })
      .where('id', '=', file.id)
      .execute()
    await t.db
      .insertInto('documentReviews')
      .values({
        documentId: file.id,
        action: 'reject',
        reviewerId: staff.accountId,
        reviewedAt: at(5),
        version: 2,
        before: '{}',
      })
      .execute()
    const states = (of: { lines: ReportLine[] }) => of.lines.find(({ labels }) => labels.file === file.name)!.values
    const rejected = states(await figures('status-berkas-pendaftaran', { by: 'file' }))
    const [named] = (await figures('status-berkas-pendaftaran', { by: 'reason' })).lines.filter(
      ({ keys }) => keys.reason === 'blurred',
    )
    expect(named).toMatchObject({ labels: { reason: 'Not readable' }, values: { rejected: 1 } })
    await t.db
      .updateTable('documents')
      .set({ status: 'uploaded', rejectReason: null, uploadedAt: at(2), reviewedAt: null, reviewedBy: null })
      .where('id', '=', file.id)
      .execute()
    const again = states(await figures('status-berkas-pendaftaran', { by: 'file' }))
    expect(again).toMatchObject({
      rejected: rejected.rejected! - 1,
      toReview: rejected.toReview! + 1,
      files: rejected.files,
      reviews: 1,
    })
    expect(again.oldestWaiting).toBeGreaterThan(1.99)
    expect(again.oldestWaiting).toBeLessThan(2.1)
    const perDay = await figures('status-berkas-pendaftaran', { by: 'reviewer,day' })
    expect(perDay.lines).toHaveLength(1)
    expect(perDay.total).toMatchObject({ reviews: 1, toReview: null })
    const waiting = await rows('status-berkas-pendaftaran', 'toReview', { file: file.name }, { by: 'file' })
    expect(waiting).toMatchObject([{ code, daysWaiting: 2 }])
  })

  it('are complete when approved, waived or deferred; an expired licence is not', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'verified' })
    const expiry = (days: number) => new Date(t.clock.now().getTime() + days * day).toISOString().slice(0, 10)
    const ofApplicant = async () => (await rows('berkas-sim', 'files')).filter((row) => row.code === code)
    const many = (await ofApplicant()).length
    expect((await ofApplicant()).every(({ fileState }) => fileState === 'Approved')).toBe(true)
    const file = await ofFile(id)
    await t.db.updateTable('documents').set({ status: 'empty' }).where('id', '=', file.id).execute()
    await t.db
      .insertInto('drivingLicences')
      .values({
        accountId: applicant.accountId,
        drives: true,
        class: 'B1',
        number: '123456789012',
        expiresOn: expiry(100),
      })
      .execute()
    expect(await ofApplicant()).toHaveLength(many + 1)
    const byKind = async () => (await figures('berkas-sim', { by: 'fileKind' })).of('Driving licence')
    expect(await byKind()).toMatchObject({ files: 1, missing: 1, licenceExpired: 0 })
    await t.db
      .updateTable('drivingLicences')
      .set({ expiresOn: expiry(-2) })
      .where('accountId', '=', applicant.accountId)
      .execute()
    expect(await byKind()).toMatchObject({ files: 1, missing: 0, complete: 0, licenceExpired: 1 })
    expect((await ofApplicant()).find(({ licenceClass }) => licenceClass)).toMatchObject({
      licenceClass: 'B1',
      fileState: 'Expired',
      expiresOn: expiry(-2),
    })
    expect((await ofApplicant()).find((row) => row.file === file.name)).toMatchObject({ fileState: 'Missing' })
  })
})

describe('student numbers', () => {
  it('list withdrawn and missing ones separately from those that students hold', async () => {
    const before = (await figures('npm-mahasiswa')).total
    const student = await aRegistration(t, { status: 'enrolled' })
    const { npm, numberScope, numberValue } = await t.db
      .selectFrom('students')
      .select(['npm', 'numberScope', 'numberValue'])
      .where('registrationId', '=', student.id)
      .executeTakeFirstOrThrow()
    await sql`UPDATE number_counters SET value = value + 2 WHERE kind = 'student' AND scope = ${numberScope}`.execute(
      t.owner,
    )
    const next = await aRegistration(t, { status: 'enrolled' })
    const after = await figures('npm-mahasiswa')
    expect(after.total).toMatchObject({
      numbers: before.numbers! + 2,
      missingNumbers: 2,
      withdrawnNumbers: 0,
      cardOpen: before.cardOpen! + 2,
    })
    const missing = await rows('npm-mahasiswa', 'missingNumbers')
    const last = npm.match(/\d+$/)![0]
    expect(missing.map((row) => row.npm)).toEqual(
      [1, 2].map((more) => npm.slice(0, -last.length) + String(BigInt(last) + BigInt(more)).padStart(last.length, '0')),
    )
    expect(Number(numberValue)).toBeGreaterThan(0)
    await aWithdrawnNumber(t, {
      registrationId: next.id,
      programmeId: next.choices[0]!,
      npm: 'TARIK-9',
      accountId: staff.accountId,
    })
    const withdrawn = await figures('npm-mahasiswa')
    expect(withdrawn.total).toMatchObject({ numbers: before.numbers! + 2, withdrawnNumbers: 1 })
    expect(await rows('npm-mahasiswa', 'withdrawnNumbers')).toMatchObject([
      { npm: 'TARIK-9', code: next.code, withdrawnReason: 'Salah prodi.' },
    ])
    expect((await rows('npm-mahasiswa', 'numbers')).map((row) => row.npm)).not.toContain('TARIK-9')
  })
})
