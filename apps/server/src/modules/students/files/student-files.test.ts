import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import yauzl from 'yauzl'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { aPdf } from '#server-test/factories/applicants.ts'
import { now } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
const kinds = ['Ijazah yang dilegalisir', 'Akta kelahiran asli']

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  for (const name of kinds) await askToEnrol(name)
  clerk = await asWithPermissions(t, ['berkas-mahasiswa-view', 'berkas-mahasiswa-update'])
})
afterAll(() => t?.close())

const askToEnrol = (name: string) =>
  t.db
    .insertInto('trackFiles')
    .values({ trackId: academic.tracks.regular, stage: 'enrolment', name, acceptedTypes: ['pdf'] })
    .execute()

type Slot = { id: string; name: string; stage: string; status: string; version: number }
const toEnrol = async (reader: TestActor, id: string): Promise<Slot[]> =>
  (await reader.get(`/pendaftaran/${id}/files`)).json().data.filter(({ stage }: Slot) => stage === 'enrolment')
const rowsOf = async (query: string, reader = clerk) => (await reader.get(`/berkas-mahasiswa?${query}`)).json().data

/** A student who sent all documents for enrolment, `minutes` after `now`. */
async function aSender(minutes = 0, status: 'confirmed' | 'enrolled' = 'confirmed') {
  const student = await aRegistration(t, { status })
  t.clock.set(new Date(now.getTime() + minutes * 60_000))
  for (const { id } of await toEnrol(student.applicant, student.id))
    await student.applicant.upload(`/pendaftaran/${student.id}/files/${id}`, {
      name: 'berkas.pdf',
      type: 'application/pdf',
      bytes: aPdf(),
    })
  t.clock.set(now)
  return { ...student, slots: await toEnrol(clerk, student.id) }
}

const namesIn = (bytes: Buffer) =>
  new Promise<string[]>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (error) return reject(error)
      const names: string[] = []
      zip.on('entry', ({ fileName }: yauzl.Entry) => names.push(fileName))
      zip.on('end', () => resolve(names.sort()))
      zip.on('error', reject)
    })
  })

describe('the list', () => {
  test('has the files waiting longest first and files that do not wait last, across students', async () => {
    const late = await aSender(20)
    const early = await aSender(10)
    const waiting = (await rowsOf('per_page=200')).map(({ registrationId, state }: Record<string, string>) => [
      registrationId,
      state,
    ])
    expect(waiting.slice(0, 4)).toEqual([
      [early.id, 'uploaded'],
      [early.id, 'uploaded'],
      [late.id, 'uploaded'],
      [late.id, 'uploaded'],
    ])
    expect(waiting.slice(4).some(([, state]: string[]) => state === 'uploaded')).toBe(false)
  })

  test('is filtered by kind, stage and state, and has only confirmed places', async () => {
    const undecided = await aRegistration(t, { status: 'paid' })
    const rows = await rowsOf(`requirement=${encodeURIComponent(kinds[0]!)}&stage=enrolment&state=uploaded`)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ requirement }: { requirement: string }) => requirement))).toEqual(new Set([kinds[0]]))
    const all = await rowsOf('per_page=200')
    expect(all.some(({ registrationId }: { registrationId: string }) => registrationId === undecided.id)).toBe(false)
  })

  test('is empty for a clerk of another programme, and refused without permission', async () => {
    const student = await aSender()
    const elsewhere = await asWithPermissions(t, ['berkas-mahasiswa-view', 'berkas-mahasiswa-update'], {
      programmeIds: [academic.programmes[1]!],
    })
    expect(await rowsOf('per_page=200', elsewhere)).toEqual([])
    expect((await elsewhere.get(`/berkas-mahasiswa/${student.id}`)).statusCode).toBe(404)
    expect((await elsewhere.get(`/berkas-mahasiswa/${student.id}/zip`)).statusCode).toBe(404)
    const viewer = await asWithPermissions(t, ['berkas-mahasiswa-view'])
    expect((await viewer.get(`/berkas-mahasiswa/${student.id}`)).statusCode).toBe(403)
    expect((await student.applicant.get('/berkas-mahasiswa')).statusCode).toBe(403)
  })
})

describe('a clerk of student files', () => {
  test('reviews and requests documents of students, but reads none of registrations without a place', async () => {
    const { id, slots } = await aSender()
    const approved = await clerk.post(`/documents/${slots[0]!.id}/approve`, { version: slots[0]!.version })
    expect(approved.json().data.status).toBe('approved')
    expect((await clerk.post(`/pendaftaran/${id}/files`, { name: 'Surat sehat', required: false })).statusCode).toBe(
      200,
    )
    const paid = await aRegistration(t, { status: 'paid' })
    expect((await clerk.get(`/pendaftaran/${paid.id}/files`)).statusCode).toBe(404)
    const both = await asWithPermissions(t, ['berkas-mahasiswa-update', 'pendaftaran-view'])
    const [slot] = (await both.get(`/pendaftaran/${paid.id}/files`)).json().data
    const refused = await both.post(`/documents/${slot.id}/waive`, { version: slot.version })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
  })

  test('leaves an audit entry for every document opened', async () => {
    const { slots } = await aSender()
    await clerk.get(`/documents/${slots[0]!.id}/content`)
    const entry = await t.db
      .selectFrom('auditLog')
      .select('actorId')
      .where('action', '=', 'document.download')
      .where('subjectId', '=', slots[0]!.id)
      .executeTakeFirstOrThrow()
    expect(entry.actorId).toBe(clerk.accountId)
  })

  test('approves a batch of one kind; another kind, a replaced file and a decided file are each refused', async () => {
    const students = [await aSender(), await aSender(), await aSender()]
    const [first, second, third] = students.map(({ slots }) => slots.find(({ name }) => name === kinds[0])!)
    const other = students[0]!.slots.find(({ name }) => name === kinds[1])!
    await students[1]!.applicant.upload(`/pendaftaran/${students[1]!.id}/files/${second!.id}`, {
      name: 'baru.pdf',
      type: 'application/pdf',
      bytes: aPdf(),
    })
    await clerk.post(`/documents/${third!.id}/approve`, { version: third!.version })
    const answer = await clerk.post('/berkas-mahasiswa/approve', {
      requirement: kinds[0],
      documents: [first!, second!, third!, other].map(({ id, version }) => ({ id, version })),
    })
    expect(answer.json().data.approved).toBe(1)
    expect(answer.json().data.refused.map(({ id }: { id: string }) => id)).toEqual([second!.id, third!.id, other.id])
    const states = await Promise.all(
      [first!, second!, third!, other].map(({ id }) =>
        t.db.selectFrom('documents').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    )
    expect(states.map(({ status }) => status)).toEqual(['approved', 'uploaded', 'approved', 'uploaded'])
  })

  test('approves each document once when two clerks approve the same batch at once', async () => {
    const { slots } = await aSender()
    const body = { requirement: kinds[0], documents: [slots.find(({ name }) => name === kinds[0])!] }
    const send = { ...body, documents: body.documents.map(({ id, version }) => ({ id, version })) }
    const colleague = await asStaff(t, 'Panitia PMB')
    const answers = await Promise.all([clerk, colleague].map((actor) => actor.post('/berkas-mahasiswa/approve', send)))
    expect(answers.reduce((sum, answer) => sum + answer.json().data.approved, 0)).toBe(1)
  })
})

describe('paper copies', () => {
  const receive = (id: string, documentIds: string[], broughtBy = 'Ibu Sari') =>
    clerk.post(`/berkas-mahasiswa/${id}/papers`, {
      broughtBy,
      lines: documentIds.map((documentId) => ({ documentId, copies: 2 })),
    })

  test('get a numbered, printable receipt; two desks at once get two numbers', async () => {
    const { id, slots } = await aSender()
    const answers = await Promise.all(slots.map((slot) => receive(id, [slot.id])))
    const numbers = answers.map((answer) => answer.json().data.number)
    expect(new Set(numbers).size).toBe(2)
    expect(numbers.every((number: string) => /^TTB-\d{4}-\d{5}$/.test(number))).toBe(true)
    const printed = await clerk.get(`/berkas-mahasiswa/papers/${answers[0]!.json().data.id}/receipt.pdf`)
    expect([printed.statusCode, printed.headers['content-type']]).toEqual([200, 'application/pdf'])
    const receipts = (await clerk.get(`/berkas-mahasiswa/${id}`)).json().data.receipts
    expect(receipts.flatMap(({ lines }: { lines: object[] }) => lines)).toMatchObject([
      { copies: 2, legalised: true },
      { copies: 2, legalised: true },
    ])
    expect((await rowsOf(`paper=true&q=${(await clerk.get(`/berkas-mahasiswa/${id}`)).json().data.code}`)).length).toBe(
      2,
    )
  })

  test('for another registration are refused by the call and by the database', async () => {
    const [one, other] = [await aSender(), await aSender()]
    expect((await receive(one.id, [other.slots[0]!.id])).statusCode).toBe(422)
    const { id: receiptId } = (await receive(one.id, [one.slots[0]!.id])).json().data
    const line = { receiptId, copies: 1, legalised: false, documentId: other.slots[0]!.id }
    await expect(
      t.db
        .insertInto('paperReceiptLines')
        .values({ ...line, registrationId: one.id })
        .execute(),
    ).rejects.toThrow(/foreign key/)
  })

  test("are received once: when many desks try at once, the others get the receipt's number", async () => {
    const { id, slots } = await aSender()
    const answers = await Promise.all(Array.from({ length: 6 }, () => receive(id, [slots[0]!.id, slots[1]!.id])))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const { number, id: receiptId } = answers.find(({ statusCode }) => statusCode === 200)!.json().data
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409)) {
      expect(answer.json().code).toBe('paper_received')
      expect(answer.json().message).toContain(number)
    }
    const again = t.db.insertInto('paperReceiptLines').values({
      receiptId: await emptyReceipt(id),
      documentId: slots[0]!.id,
      registrationId: id,
      copies: 1,
      legalised: true,
    })
    await expect(again.execute()).rejects.toThrow('paper_receipt_lines_once')
    await clerk.post(`/berkas-mahasiswa/papers/${receiptId}/void`, { reason: 'Salah berkas' })
    expect((await receive(id, [slots[0]!.id])).statusCode).toBe(200)
  })

  test('listed twice, or for an unknown document, are refused with the error at the lines', async () => {
    const { id, slots } = await aSender()
    const general = 'Some answers need your attention.'
    for (const documentIds of [[slots[0]!.id, slots[0]!.id], [crypto.randomUUID()]]) {
      const refused = await receive(id, documentIds)
      expect(refused.statusCode).toBe(422)
      expect(refused.json().errors.lines).not.toContain(general)
    }
  })

  const emptyReceipt = async (registrationId: string) =>
    (
      await t.db
        .insertInto('paperReceipts')
        .values({ registrationId, number: 'TTB-X', broughtBy: 'Ibu', receivedAt: now, receivedBy: clerk.accountId })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  test('on a void receipt no longer count, and a receipt is voided once', async () => {
    const { id, slots } = await aSender()
    const { id: receiptId } = (await receive(id, [slots[0]!.id])).json().data
    const reason = { reason: 'Salah berkas' }
    const answers = await Promise.all(
      [1, 2].map(() => clerk.post(`/berkas-mahasiswa/papers/${receiptId}/void`, reason)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const { code } = (await clerk.get(`/berkas-mahasiswa/${id}`)).json().data
    expect(await rowsOf(`paper=true&q=${code}`)).toEqual([])
  })

  test('keep an empty slot when the confirmation is reverted', async () => {
    const { id } = await aRegistration(t, { status: 'confirmed' })
    const [slot] = await toEnrol(clerk, id)
    await receive(id, [slot!.id])
    const staff = await asStaff(t, 'Panitia PMB')
    await staff.post(`/pendaftaran/${id}/revert-confirmation`, { reason: 'Salah cicilan' })
    expect((await toEnrol(staff, id)).map(({ id: kept }) => kept)).toEqual([slot!.id])
  })
})

describe('a ZIP', () => {
  test('that nobody reads takes up a place of its own account only', async () => {
    const { id } = await aSender()
    const other = await asWithPermissions(t, ['berkas-mahasiswa-view', 'berkas-mahasiswa-update'])
    const stuck: Readable[] = []
    const reading = vi.spyOn(t.services.files, 'read').mockImplementation(async () => {
      stuck.push(new Readable({ read() {} }))
      return stuck.at(-1)!
    })
    const running = [1, 2].map(() => clerk.get(`/berkas-mahasiswa/${id}/zip`))
    await expect.poll(() => stuck.length).toBe(2)
    reading.mockRestore()
    const refused = await clerk.get(`/berkas-mahasiswa/${id}/zip`)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    expect((await other.get(`/berkas-mahasiswa/${id}/zip`)).statusCode).toBe(200)
    for (const stream of stuck) stream.push(null)
    await Promise.all(running)
    expect((await clerk.get(`/berkas-mahasiswa/${id}/zip`)).statusCode).toBe(200)
  })

  test('of one person names its files by the template, and the download is recorded', async () => {
    const { id, code } = await aSender()
    const answer = await clerk.get(`/berkas-mahasiswa/${id}/zip`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    const { name } = (await clerk.get(`/berkas-mahasiswa/${id}`)).json().data
    expect(await namesIn(answer.rawPayload)).toEqual(kinds.map((kind) => `${code}_${name}/${kind}.pdf`).sort())
    const entries = await t.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'document.zip')
      .where('subjectId', '=', id)
      .execute()
    expect(entries).toHaveLength(1)
  })

  test('of a filter has the files of all people found; equal names get different endings', async () => {
    const students = [await aSender(), await aSender()]
    const filter = `requirement=${encodeURIComponent(kinds[0]!)}&template=${encodeURIComponent('{berkas}')}`
    const found = await rowsOf(`requirement=${encodeURIComponent(kinds[0]!)}&per_page=200`)
    const sent = found.filter(({ state }: { state: string }) => state !== 'empty').length
    expect(sent).toBeGreaterThanOrEqual(students.length)
    const names = await namesIn((await clerk.get(`/berkas-mahasiswa/zip?${filter}`)).rawPayload)
    expect(names).toHaveLength(sent)
    expect(names).toContain(`${kinds[0]} (2).pdf`)
  })

  test('with an unknown placeholder in its template is refused, and without any file gets 404', async () => {
    const { id } = await aRegistration(t, { status: 'confirmed' })
    expect((await clerk.get(`/berkas-mahasiswa/${id}/zip?template=%7Bnik%7D`)).statusCode).toBe(422)
    expect((await clerk.get(`/berkas-mahasiswa/${id}/zip`)).statusCode).toBe(404)
  })
})

describe('a requirement added later', () => {
  test('applies to confirmed applicants, not to enrolled students', async () => {
    const [confirmed, enrolled] = [
      await aRegistration(t, { status: 'confirmed' }),
      await aRegistration(t, { status: 'enrolled' }),
    ]
    await askToEnrol('Surat pernyataan')
    const has = async (id: string) => (await toEnrol(clerk, id)).some(({ name }) => name === 'Surat pernyataan')
    expect([await has(confirmed.id), await has(enrolled.id)]).toEqual([true, false])
  })
})
