import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClothesSize } from '#domain/applicants/profile.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import { studentCardAddress } from '#server/modules/students/cards/student-card-code.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set('2026-11-20T03:00:00Z')
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

const signature = 'M10 10L200 120L380 40'
const signed = { signature, note: null }
const handOut = (registrationId: string, size: string, more: object = signed) =>
  staff.post('/jaket-mahasiswa', { registrationId, size, ...more })
let notes = 0
const receive = (...sizes: [size: string, quantity: number][]) =>
  staff.post('/jaket-mahasiswa/deliveries', {
    supplier: 'Konveksi Maju',
    reference: `SJ/${++notes}`,
    receivedOn: '2026-11-19',
    sizes: sizes.map(([size, quantity]) => ({ size, quantity })),
  })
type StockRow = { size: string; waiting: number; onHand: number; short: number; handedOut: number; toOrder: number }
async function stockOf(size: string, query = '') {
  const { data } = (await staff.get(`/jaket-mahasiswa/stock${query}`)).json() as { data: StockRow[] }
  return data.find((row) => row.size === size)!
}
const rowOf = async (id: string) =>
  (await staff.get('/jaket-mahasiswa?per_page=200')).json().data.find((row: { id: string }) => row.id === id)
async function aStudent(size: ClothesSize | null = 'M', status: 'confirmed' | 'enrolled' = 'enrolled') {
  const student = await aRegistration(t, { status })
  await t.db
    .updateTable('applicants')
    .set({ clothesSize: size })
    .where('accountId', '=', student.applicant.accountId)
    .execute()
  return student
}
const count = async (size: string, counted: number, onHand?: number) =>
  staff.post('/jaket-mahasiswa/counts', {
    size,
    onHand: onHand ?? (await stockOf(size)).onHand,
    counted,
    reason: 'hitung ulang',
  })
const heldBy = async (id: string): Promise<string> =>
  (await staff.get(`/jaket-mahasiswa/${id}`)).json().data.handOuts[0].id
const exchangeOf = (id: string, handOutId: string, size: string, usable = true) =>
  staff.post(`/jaket-mahasiswa/${id}/exchange`, { handOutId, size, usable, reason: 'salah ukuran', ...signed })
const returnOf = (id: string, handOutId: string) =>
  staff.post(`/jaket-mahasiswa/${id}/return`, { handOutId, usable: true, reason: 'mengundurkan diri' })

describe('a desk', () => {
  it('finds a student by number, registration code or scanned card, and hands out a jacket for a signature', async () => {
    await receive(['L', 2])
    const { id, code } = await aStudent('L')
    const { npm } = await t.db
      .selectFrom('students')
      .select('npm')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const card = cardCode(t.services, code)
    const addresses = [
      `https://pmb.example.test/verifikasi/${encodeURIComponent(card)}`,
      studentCardAddress(t.services, npm, 0),
    ]
    for (const typed of [npm, code, code.toLowerCase(), card, ...addresses]) {
      const found = await staff.post('/jaket-mahasiswa/find', { code: typed })
      expect(found.json().data).toMatchObject({ registrationId: id, npm, wanted: 'L', handOuts: [] })
    }
    const forged = await staff.post('/jaket-mahasiswa/find', { code: `${code}-forged` })
    expect(forged.statusCode).toBe(404)
    expect(forged.json().errors).toHaveProperty('code')
    expect((await staff.post('/jaket-mahasiswa/find', { code: `${addresses[1]}0` })).statusCode).toBe(404)
    const answer = await handOut(id, 'L')
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.handOuts).toMatchObject([{ size: 'L', signature, endedAt: null }])
    expect(await rowOf(id)).toMatchObject({ state: 'held', held: 'L', wanted: 'L', npm })
    expect(await stockOf('L')).toMatchObject({ onHand: 1, handedOut: 1 })
    const again = await handOut(id, 'L')
    expect([again.statusCode, again.json().code]).toEqual([409, 'jacket_held'])
  })

  it('refuses a replaced or withdrawn student card, and accepts the newest copy by code or URL', async () => {
    const { id } = await aStudent('L')
    const { npm } = await t.db
      .selectFrom('students')
      .select('npm')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const print = (reason: string | null) => staff.post('/npm-mahasiswa/cards', { ids: [id], layout: 'card', reason })
    expect((await print(null)).statusCode).toBe(200)
    expect((await print('Kartu hilang')).statusCode).toBe(200)
    const scan = (copy: number, page = 'verifikasi') => {
      const code = studentCardAddress(t.services, npm, copy).split('/').at(-1)
      return staff.post('/jaket-mahasiswa/find', { code: `https://pmb.example.test/${page}/${code}` })
    }
    const replaced = await scan(1)
    expect([replaced.statusCode, replaced.json().code]).toEqual([409, 'student_card_replaced'])
    for (const page of ['verifikasi', 'verifikasi-mahasiswa'])
      expect((await scan(2, page)).json().data).toMatchObject({ registrationId: id })
    await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
    const withdrawn = await scan(2)
    expect([withdrawn.statusCode, withdrawn.json().code]).toEqual([409, 'student_card_withdrawn'])
  })

  it('gets 404 for a card of a student it may not see, whether the card is valid or not', async () => {
    const { programmes } = await academicOf(t)
    const clerk = await asWithPermissions(t, ['jaket-mahasiswa-create'], { programmeIds: [programmes[1]!] })
    const { id } = await aStudent('L')
    const { npm } = await t.db
      .selectFrom('students')
      .select('npm')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    for (const copy of [0, 7])
      expect(
        (await clerk.post('/jaket-mahasiswa/find', { code: studentCardAddress(t.services, npm, copy) })).statusCode,
      ).toBe(404)
  })

  it('needs a signature, or a note why it is missing', async () => {
    await receive(['L', 1])
    const { id } = await aStudent('L')
    expect((await handOut(id, 'L', { signature: null, note: null })).json().errors).toHaveProperty('signature')
    expect((await handOut(id, 'L', { signature: 'url(x)', note: null })).statusCode).toBe(422)
    expect((await handOut(id, 'L', { signature: null, note: 'Diambil orang tua' })).statusCode).toBe(200)
  })

  it('hands out nothing before the student number', async () => {
    await receive(['L', 1])
    const { id } = await aStudent('L', 'confirmed')
    expect((await handOut(id, 'L')).json().code).toBe('wrong_status')
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', npm: null })
  })

  it('hands out the last jacket once: of three students at once, two are refused', async () => {
    await count('XS', 0)
    await receive(['XS', 1])
    const students = await Promise.all([aStudent('XS'), aStudent('XS'), aStudent('XS')])
    const answers = await raceBehind(t, sql`SELECT FROM jacket_stock WHERE size = 'XS' FOR UPDATE`, 3, () =>
      Promise.all(students.map(({ id }) => handOut(id, 'XS'))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('jacket_out_of_stock')
    expect(await stockOf('XS')).toMatchObject({ onHand: 0, handedOut: 1, waiting: 2, short: 2 })
  })

  it('gives a student one jacket when two desks serve the student at once', async () => {
    await receive(['M', 5])
    const { onHand } = await stockOf('M')
    const { id } = await aStudent('M')
    const answers = await raceBehind(t, sql`SELECT FROM registrations WHERE id = ${id} FOR UPDATE`, 2, () =>
      Promise.all([handOut(id, 'M'), handOut(id, 'M')]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(await stockOf('M')).toMatchObject({ onHand: onHand - 1 })
  })

  it('crossing exchanges at two desks do not deadlock', async () => {
    await receive(['S', 3], ['XL', 3])
    const [small, large] = await Promise.all([aStudent('S'), aStudent('XL')])
    await handOut(small.id, 'S')
    await handOut(large.id, 'XL')
    const held = await Promise.all([heldBy(small.id), heldBy(large.id)])
    const answers = await raceBehind(t, sql`SELECT FROM jacket_stock FOR UPDATE`, 2, () =>
      Promise.all([exchangeOf(small.id, held[0], 'XL'), exchangeOf(large.id, held[1], 'S')]),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await stockOf('S')).toMatchObject({ onHand: 2, handedOut: 1 })
    expect(await stockOf('XL')).toMatchObject({ onHand: 2, handedOut: 1 })
  })
})

describe('a jacket that comes back', () => {
  it('is exchanged for another size; a torn jacket leaves the stock', async () => {
    await count('XXL', 0)
    await count('XXXL', 0)
    await receive(['XXL', 1], ['XXXL', 1])
    const { id } = await aStudent('XXL')
    await handOut(id, 'XXL')
    const exchange = async (size: string, usable: boolean) => exchangeOf(id, await heldBy(id), size, usable)
    expect((await exchange('XXXL', false)).json().data.handOuts).toMatchObject([
      { size: 'XXXL', endedAt: null },
      { size: 'XXL', endedAs: 'exchanged', usable: false, endedReason: 'salah ukuran' },
    ])
    expect((await stockOf('XXL')).onHand).toBe(0)
    expect((await stockOf('XXXL')).onHand).toBe(0)
    const refused = await exchange('XXL', true)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'jacket_out_of_stock'])
    expect((await staff.get(`/jaket-mahasiswa/${id}`)).json().data.handOuts[0]).toMatchObject({ endedAt: null })
  })

  it('is returned, and the student no longer counts as waiting', async () => {
    await receive(['M', 1])
    const { id } = await aStudent('M')
    const before = await stockOf('M')
    await handOut(id, 'M')
    const handOutId = await heldBy(id)
    const back = () => returnOf(id, handOutId)
    expect((await back()).statusCode).toBe(200)
    expect((await back()).json().code).toBe('jacket_not_held')
    expect(await stockOf('M')).toMatchObject({ onHand: before.onHand, waiting: before.waiting - 1 })
    expect(await rowOf(id)).toMatchObject({ state: 'returned', held: null })
  })
})

describe('an outdated page at a desk', () => {
  it('cannot exchange a jacket that another desk has already exchanged', async () => {
    await count('M', 5)
    const { id } = await aStudent('M')
    await handOut(id, 'M')
    const held = await heldBy(id)
    const answers = await raceBehind(t, sql`SELECT FROM registrations WHERE id = ${id} FOR UPDATE`, 2, () =>
      Promise.all([exchangeOf(id, held, 'M', false), exchangeOf(id, held, 'M', false)]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const refused = answers.find(({ statusCode }) => statusCode === 409)!.json()
    expect([refused.code, refused.message]).toEqual(['jacket_other_held', expect.stringContaining('size M')])
    expect((await stockOf('M')).onHand).toBe(3)
  })

  it('cannot take back a jacket from a later exchange', async () => {
    await count('M', 5)
    const { id } = await aStudent('M')
    await handOut(id, 'M')
    const held = await heldBy(id)
    await exchangeOf(id, held, 'M')
    expect((await returnOf(id, held)).json().code).toBe('jacket_other_held')
    expect(await rowOf(id)).toMatchObject({ state: 'held' })
    expect((await returnOf(id, await heldBy(id))).statusCode).toBe(200)
  })

  it('must name the hand-out', async () => {
    const { id } = await aStudent('M')
    for (const call of ['exchange', 'return']) {
      const refused = await staff.post(`/jaket-mahasiswa/${id}/${call}`, { usable: true, reason: 'x' })
      expect(refused.json().errors).toHaveProperty('handOutId')
    }
  })
})

it('a student whose number was withdrawn gets no other jacket, but can return one', async () => {
  await count('M', 5)
  const { id } = await aStudent('M')
  await handOut(id, 'M')
  const { npm } = await t.db
    .selectFrom('students')
    .select('npm')
    .where('registrationId', '=', id)
    .executeTakeFirstOrThrow()
  await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
  const held = await heldBy(id)
  const refused = await exchangeOf(id, held, 'M')
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'wrong_status'])
  expect((await returnOf(id, held)).statusCode).toBe(200)
})

describe('the stock', () => {
  it('refuses a delivery note entered before, with the error at its number', async () => {
    const deliver = (quantity: number) =>
      staff.post('/jaket-mahasiswa/deliveries', {
        supplier: 'Konveksi Dua Kali',
        reference: 'SJ-01',
        receivedOn: '2026-11-19',
        sizes: [{ size: 'S', quantity }],
      })
    expect((await deliver(1)).statusCode).toBe(200)
    const again = await deliver(2)
    expect(again.json().code).toBe('already_exists')
    expect(Object.keys(again.json().errors)).toEqual(['reference'])
    for (const quantity of [-5, 2.5, 0])
      expect(Object.keys((await deliver(quantity)).json().errors)).toEqual(['sizes.0.quantity'])
  })

  it('refuses a delivery in the future, as does the database', async () => {
    const deliver = (receivedOn: string) =>
      staff.post('/jaket-mahasiswa/deliveries', {
        supplier: 'Konveksi Besok',
        reference: receivedOn,
        receivedOn,
        sizes: [{ size: 'S', quantity: 1 }],
      })
    for (const day of ['2026-11-21', '2199-12-31']) {
      const refused = await deliver(day)
      expect(refused.statusCode).toBe(422)
      expect(refused.json().errors).toHaveProperty('receivedOn')
    }
    expect((await deliver('2026-11-20')).statusCode).toBe(200)
    const write = sql`INSERT INTO jacket_deliveries (supplier, reference, received_on, created_at)
      VALUES ('Konveksi Besok', 'x', '2026-12-01', '2026-11-20T03:00:00Z')`
    await expect(write.execute(t.db)).rejects.toThrow('jacket_deliveries_not_in_future')
  })

  it('is not corrected by a count made with an outdated stock; the answer has the current stock', async () => {
    await count('M', 10)
    const { id } = await aStudent('M')
    await handOut(id, 'M')
    const stale = await count('M', 10, 10)
    expect([stale.statusCode, stale.json().code, stale.json().data]).toEqual([409, 'jacket_stock_moved', { onHand: 9 }])
    expect((await stockOf('M')).onHand).toBe(9)
    expect((await count('M', 9, 9)).json().data).toEqual({ onHand: 9, difference: 0 })
  })

  it('proposes an order for waiting students plus a margin, less the stock', async () => {
    await Promise.all(Array.from({ length: 4 }, () => aStudent('XL', 'confirmed')))
    const { waiting, onHand, short } = await stockOf('XL')
    expect(short).toBe(Math.max(0, waiting - onHand))
    for (const margin of [0, 10, 30])
      expect((await stockOf('XL', `?margin=${margin}`)).toOrder).toBe(
        Math.max(0, Math.ceil((waiting * (100 + margin)) / 100) - onHand),
      )
    const nameless = await aStudent(null)
    expect(await rowOf(nameless.id)).toMatchObject({ state: 'no_size', wanted: null })
  })

  it('accepts a delivery note once', async () => {
    await receive(['S', 1])
    notes--
    const again = await receive(['S', 1])
    expect([again.statusCode, again.json().code]).toEqual([422, 'already_exists'])
  })

  it('is corrected to the count, with a reason in the ledger', async () => {
    await count('S', 9)
    expect((await count('S', 7)).json().data).toEqual({ onHand: 7, difference: -2 })
    expect((await count('S', 7)).json().data).toEqual({ onHand: 7, difference: 0 })
    const { data } = (await staff.get('/jaket-mahasiswa/movements?kind=correction&size=S')).json()
    expect(data[0]).toMatchObject({ kind: 'correction', size: 'S', quantity: -2, note: 'hitung ulang' })
  })

  it('cannot go below zero in the database, and its ledger cannot be changed', async () => {
    const correct = (quantity: number) =>
      sql`INSERT INTO jacket_movements (kind, size, quantity, reason, at) VALUES ('correction', 'XXXL', ${quantity}, 'uji', now())`.execute(
        t.db,
      )
    await count('XXXL', 1)
    await expect(correct(-2)).rejects.toThrow('jacket_stock_not_negative')
    await expect(sql`UPDATE jacket_movements SET quantity = 1`.execute(t.owner)).rejects.toThrow('append-only')
    await expect(sql`DELETE FROM jacket_movements`.execute(t.owner)).rejects.toThrow('append-only')
  })

  it('is visible to a role limited to some programmes, and changed only by a role for the whole university', async () => {
    const { programmes } = await academicOf(t)
    const clerk = await asWithPermissions(t, ['jaket-mahasiswa-view', 'jaket-mahasiswa-update'], {
      programmeIds: [programmes[1]!],
    })
    expect((await clerk.get('/jaket-mahasiswa/stock')).statusCode).toBe(200)
    const refused = await clerk.post('/jaket-mahasiswa/counts', { size: 'S', onHand: 1, counted: 1, reason: 'coba' })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'stock_needs_whole_view'])
    const { id } = await aStudent('M')
    expect((await clerk.get(`/jaket-mahasiswa/${id}`)).statusCode).toBe(404)
    expect((await clerk.get('/jaket-mahasiswa')).json().data).toEqual([])
  })
})
