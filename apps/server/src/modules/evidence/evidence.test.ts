import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration, publish } from '#server-test/factories/admissions.ts'
import { aPdf, aStoredPicture } from '#server-test/factories/applicants.ts'
import { packOf, pathOf } from '#server-test/factories/evidence.ts'
import { now } from '#server-test/factories/registrations/registration-steps.ts'
import { aWithdrawnNumber } from '#server-test/factories/students.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  admin = await asStaff(t)
})
afterAll(() => t?.close())

const filesPermissions = ['pendaftaran-view', 'berkas-mahasiswa-view', 'berkas-mahasiswa-update']
const sha256 = (bytes: Buffer) => crypto.createHash('sha256').update(bytes).digest('hex')

/** A student with a document, a photo, a withdrawn number with its card, and a jacket. */
async function aWholeStudent() {
  const student = await aRegistration(t, { status: 'enrolled' })
  const { id, applicant, academic } = student
  await t.db
    .insertInto('documents')
    .values(
      ['Ijazah', 'Ijazah'].map((name) => ({
        registrationId: id,
        name,
        acceptedTypes: ['pdf'],
        maxMb: 5,
        stage: 'enrolment' as const,
      })),
    )
    .execute()
  const slots = await t.db
    .selectFrom('documents')
    .select('id')
    .where('registrationId', '=', id)
    .where('name', '=', 'Ijazah')
    .execute()
  for (const slot of slots)
    expect(
      (
        await applicant.upload(`/pendaftaran/${id}/files/${slot.id}`, {
          name: 'ijazah.pdf',
          type: 'application/pdf',
          bytes: aPdf(),
        })
      ).statusCode,
    ).toBe(200)
  await t.db
    .updateTable('applicants')
    .set({ photoFileId: await aStoredPicture(t, applicant.accountId) })
    .where('accountId', '=', applicant.accountId)
    .execute()
  const withdrawn = `BUKTI-${crypto.randomUUID().slice(0, 8)}`
  await aWithdrawnNumber(t, {
    registrationId: id,
    programmeId: academic.programmes[0]!,
    npm: withdrawn,
    accountId: admin.accountId,
  })
  await t.db
    .insertInto('jacketHandOuts')
    .values({ registrationId: id, size: 'M', handedAt: now, handedBy: admin.accountId, note: 'Di meja 2' })
    .execute()
  return { ...student, withdrawn }
}

describe('the evidence pack', () => {
  test('of a student has what was decided and every file; its manifest has the hash of each', async () => {
    const { id, code, withdrawn } = await aWholeStudent()
    const { files, manifest, text } = await packOf(admin, id)
    const names = [...files.keys()]
    expect(names.slice(0, 3)).toEqual([`${code}.pdf`, 'documents/Ijazah.pdf', 'documents/Ijazah (2).pdf'])
    expect(names.slice(-2)).toEqual(['profile/photo.jpg', 'manifest.json'])
    expect(manifest).toMatchObject({ registration: code, createdAt: now.toISOString() })
    expect(manifest.files).toEqual(
      names
        .filter((name) => name !== 'manifest.json')
        .map((name) => ({ name, bytes: files.get(name)!.length, sha256: sha256(files.get(name)!) })),
    )
    const stored = await sql<{ sha256: string }>`SELECT encode(f.sha256, 'hex') AS sha256 FROM documents d
      JOIN files f ON f.id = d.file_id WHERE d.registration_id = ${id}`.execute(t.db)
    expect(stored.rows.length).toBe(2)
    for (const row of stored.rows) expect(manifest.files.map((file) => file.sha256)).toContain(row.sha256)
    const bill = await t.db
      .selectFrom('bills')
      .select('number')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const student = await t.db
      .selectFrom('students')
      .select('npm')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    for (const words of [
      'Place confirmed',
      'Accepted',
      'Published',
      bill.number,
      withdrawn,
      'Salah prodi.',
      student.npm,
    ])
      expect(text).toContain(words)
  })

  test('is recorded with the documents in it, before the first byte', async () => {
    const { id } = await aWholeStudent()
    await packOf(admin, id)
    const entries = await t.db
      .selectFrom('auditLog')
      .select(['actorId', 'subjectType', 'after'])
      .where('action', '=', 'evidence.download')
      .where('subjectId', '=', id)
      .execute()
    expect(entries).toEqual([
      { actorId: admin.accountId, subjectType: 'registration', after: { documents: ['Ijazah', 'Ijazah', 'photo'] } },
    ])
  })

  test('is made at most twice at a time for one account, and again once those are done', async () => {
    const { id } = await aRegistration(t, { status: 'paid' })
    const packs = await Promise.all(Array.from({ length: 6 }, () => admin.get(pathOf(id))))
    expect(packs.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429, 429, 429])
    expect((await admin.get(pathOf(id))).statusCode).toBe(200)
  })

  test('of an applicant without any records is a page that says so', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'draft' })
    await t.db
      .updateTable('applicants')
      .set({ photoFileId: null })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const { files, text } = await packOf(admin, id)
    expect([...files.keys()]).toEqual([`${code}.pdf`, 'manifest.json'])
    expect(text).toContain('Nothing recorded.')
  })

  test('hides an unpublished decision from readers who may not see it, and shows it after the publication', async () => {
    const { id, trackId } = await aRegistration(t, { status: 'decided', trackId: await anotherTrack() })
    const clerk = await asWithPermissions(t, [...filesPermissions, 'seleksi-view'])
    const decider = await asWithPermissions(t, [...filesPermissions, 'pendaftaran-decide'])
    const [before, ofDecider] = [await packOf(clerk, id), await packOf(decider, id)]
    expect(before.text).not.toContain('Accepted')
    expect(before.text).toContain('Verified')
    expect(ofDecider.text).toContain('Not published')
    await publish(t, trackId)
    expect((await packOf(clerk, id)).text).toContain('Accepted')
  })

  test('leaves out what the role may not read elsewhere, and says so', async () => {
    const { id, withdrawn } = await aWholeStudent()
    const clerk = await asWithPermissions(t, filesPermissions)
    const { text } = await packOf(clerk, id)
    expect(text).not.toContain(withdrawn)
    expect(text.replace(/\s+/g, ' ')).toContain('Scores, Selection, Student numbers, Student cards, Letters, Jackets')
  })

  test('has the scan of a driving licence only for roles that may view licences', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'enrolled' })
    const licence = { class: 'C' as const, number: '123456789012', expiresOn: '2030-01-01' }
    const fileId = await aStoredPicture(t, applicant.accountId)
    await t.db
      .insertInto('drivingLicences')
      .values({ ...licence, accountId: applicant.accountId, drives: true, fileId })
      .execute()
    const hasScan = async (reader: TestActor) =>
      [...(await packOf(reader, id)).files.keys()].some((name) => name.startsWith('profile/driving-licence'))
    expect(await hasScan(await asWithPermissions(t, filesPermissions))).toBe(false)
    expect(await hasScan(await asWithPermissions(t, [...filesPermissions, 'sim-mahasiswa-view']))).toBe(true)
  })

  test('opens for roles that reach the registration; a role with only student files must wait for the confirmation', async () => {
    const [student, decided] = [
      await aRegistration(t, { status: 'confirmed' }),
      await aRegistration(t, { status: 'paid' }),
    ]
    const ofFiles = await asWithPermissions(t, ['berkas-mahasiswa-update'])
    const elsewhere = await asWithPermissions(t, filesPermissions, { programmeIds: [student.academic.programmes[1]!] })
    const withoutFiles = await asWithPermissions(t, ['pendaftaran-view'])
    const statusOf = async (reader: TestActor, id: string) => (await reader.get(pathOf(id))).statusCode
    expect([
      await statusOf(ofFiles, student.id),
      await statusOf(ofFiles, decided.id),
      await statusOf(elsewhere, student.id),
      await statusOf(withoutFiles, student.id),
      await statusOf(student.applicant, student.id),
    ]).toEqual([200, 404, 404, 403, 403])
  })
})

/** A track whose results no other test publishes. */
async function anotherTrack() {
  const { rows } = await sql<{ id: string }>`SELECT id FROM tracks ORDER BY code`.execute(t.db)
  const { academic } = await aRegistration(t)
  return rows.find(({ id }) => id !== academic.tracks.regular && Object.values(academic.tracks).includes(id))!.id
}
