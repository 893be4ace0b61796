import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionSlugs } from '#domain/access/permissions.ts'
import type { SearchHit } from '#domain/search/endpoints.ts'
import { type SearchKind, searchKinds, searchPermissions } from '#domain/search/kinds.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration, officerOf } from '#server-test/factories/admissions.ts'
import { aPlace, aProfile, aSchool } from '#server-test/factories/applicants.ts'
import { aLetter } from '#server-test/factories/letters.ts'
import { aBill, aVirtualAccount, paidAtBank } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'
import { searchQuery } from './search-everything.ts'

let t: TestApp
let staff: TestActor
let sari: TestActor
let enrolled: Awaited<ReturnType<typeof aRegistration>>
let waiting: Awaited<ReturnType<typeof aRegistration>>
let bill: { number: string }
let paymentNumber: string

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  sari = await asApplicant(t, { name: 'Sari Kenanga', email: 'sari.kenanga@contoh.test' })
  await aProfile(t, sari.accountId, {
    fullName: 'Sari Kenanga Putri',
    phone: '+6281399887766',
    nik: '3578015705084321',
  })
  enrolled = await aRegistration(t, { applicant: sari, status: 'enrolled' })
  const { academic } = enrolled
  const budi = await asApplicant(t, { name: 'Budi Santoso', email: 'budi@contoh.test' })
  await aProfile(t, budi.accountId, { fullName: 'Budi Kenanga Santoso', phone: '+6281200000077' })
  waiting = await aRegistration(t, {
    applicant: budi,
    status: 'submitted',
    trackId: academic.tracks.regular,
    choices: [academic.programmes[1]],
  })
  const owed = await t.db
    .selectFrom('bills')
    .select(['id', 'number'])
    .where('registrationId', '=', waiting.id)
    .executeTakeFirstOrThrow()
  bill = owed
  paymentNumber = (await aVirtualAccount(budi, owed.id)).number
  const { cityId } = await aPlace(t)
  await aSchool(t, { name: 'SMA NEGERI 3 KENANGA', cityId })
  await t.db
    .insertInto('affiliates')
    .values({ code: 'KNG01', name: 'Alumni Kenanga', phone: '+6281234567890' })
    .execute()
}, 120_000)
afterAll(() => t.close())

const found = async (actor: TestActor, q: string): Promise<Partial<Record<SearchKind, SearchHit[]>>> => {
  const answer = await actor.get(`/search?q=${encodeURIComponent(q)}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return Object.fromEntries(
    (answer.json().data as { kind: SearchKind; hits: SearchHit[] }[]).map(({ kind, hits }) => [kind, hits]),
  )
}
const registrations = async (actor: TestActor, q: string) =>
  ((await found(actor, q)).registration ?? []).map(({ id }) => id)

describe('the search finds', () => {
  test.each([
    ['the beginning of a name', 'sari ken'],
    ['a name further on', 'kenanga putri'],
    ['two letters of the beginning', 'sa'],
    ['words in another order', 'putri sari'],
    ['the code', () => enrolled.code],
    ['the beginning of the code', () => enrolled.code.slice(0, -1)],
    ['a phone number as it is spoken', '0813 9988'],
    ['a phone number as it is stored', '+6281399887766'],
    ['the end of the phone number', '887766'],
    ['the e-mail address', 'sari.kenanga@con'],
    ['the last digits of the NIK', '084321'],
    ['the whole NIK', '3578015705084321'],
  ])('an applicant by %s', async (_, q) => {
    expect(await registrations(staff, typeof q === 'string' ? q : q())).toContain(enrolled.id)
  })

  test('a phone number by the same parts as the lists of registrations and accounts', async () => {
    const name = 'Wira Penelepon'
    const phone = '+6285501130862'
    const caller = await asApplicant(t, { name, phone })
    await aProfile(t, caller.accountId, { fullName: name, phone })
    const { id } = await aRegistration(t, { applicant: caller })
    const idsOf = async (path: string) => (await staff.get(path)).json().data.map((row: { id: string }) => row.id)
    for (const [typed, isPart] of [
      ['0855 0113', true],
      ['0855-0113-0862', true],
      ['62855011', true],
      ['+62 855 0113', true],
      ['0113', true],
      ['0862', true],
      ['5501.13', true],
      ['0550113', false],
      ['+55011', true],
      ['0855 9', false],
      ['0113x', false],
    ] as const) {
      const q = encodeURIComponent(typed)
      expect([
        typed,
        (await registrations(staff, typed)).includes(id),
        (await idsOf(`/pendaftaran?q=${q}`)).includes(id),
        (await idsOf(`/settings/accounts?q=${q}`)).includes(caller.accountId),
      ]).toEqual([typed, isPart, isPart, isPart])
    }
  })

  test('a name that begins with the words before one that contains them', async () => {
    await aProfile(t, (await asApplicant(t)).accountId, { fullName: 'Zubaidah Budi' })
    const zubaidah = await asApplicant(t, { name: 'Zubaidah' })
    await aProfile(t, zubaidah.accountId, { fullName: 'Zubaidah Budi' })
    await aRegistration(t, { applicant: zubaidah })
    expect((await registrations(staff, 'budi'))[0]).toBe(waiting.id)
  })

  test('each kind by its number', async () => {
    const npm = await t.db.selectFrom('students').select('npm').executeTakeFirstOrThrow()
    expect((await found(staff, npm.npm.slice(0, 5))).student).toMatchObject([
      { title: 'Sari Kenanga Putri', code: npm.npm, registrationId: enrolled.id },
    ])
    for (const q of [bill.number, bill.number.toLowerCase().slice(0, -1), bill.number.slice(-6)])
      expect((await found(staff, q)).bill?.map(({ title }) => title)).toContain(bill.number)
    for (const q of [paymentNumber, paymentNumber.slice(0, 6), paymentNumber.slice(-5)])
      expect((await found(staff, q)).virtualAccount).toMatchObject([
        { title: paymentNumber, registrationId: waiting.id, status: 'active' },
      ])
  })

  test('a payment by receipt and by the bank’s reference, as its list shows it', async () => {
    const { bill: owed, actor } = await aBill(t, enrolled.academic, { amount: 175_000 })
    const id = await paidAtBank(t, actor, owed.id, 175_000)
    const { receiptNumber, providerReference } = await t.db
      .selectFrom('payments')
      .select(['receiptNumber', 'providerReference'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const idsOf = async (q: string, reader = staff) => ((await found(reader, q)).payment ?? []).map((hit) => hit.id)
    for (const q of [receiptNumber!, receiptNumber!.toLowerCase().slice(0, -1), providerReference])
      expect([q, await idsOf(q)]).toEqual([q, [id]])
    const elsewhere = await asWithPermissions(t, ['pembayaran-mahasiswa-view'], {
      programmeIds: [enrolled.academic.programmes[1]],
    })
    expect(await idsOf(receiptNumber!, elsewhere)).toEqual([])
  })

  test('a letter by the beginning of its number', async () => {
    const id = await aLetter(t, enrolled.id)
    // The number of an invented letter is its id.
    for (const q of [id.slice(0, 13), id.toUpperCase()])
      expect((await found(staff, q)).letter).toMatchObject([{ id, registrationId: enrolled.id, note: 'Sari' }])
    const elsewhere = await asWithPermissions(t, ['surat-view'], { programmeIds: [enrolled.academic.programmes[1]] })
    expect((await found(elsewhere, id)).letter).toBeUndefined()
  })

  test('study programmes and waves by code, by words of either language, and despite a typo', async () => {
    const { academic } = enrolled
    const programme = await t.db
      .updateTable('studyProgrammes')
      .set({ name: 'Teknik Informatika', nameEn: 'Informatics Engineering' })
      .where('id', '=', academic.programmes[0])
      .returning(['id', 'code'])
      .executeTakeFirstOrThrow()
    for (const q of [programme.code, 'informatika', 'informatics', 'teknik infor', 'informatka'])
      expect([q, (await found(staff, q)).programme?.map(({ id }) => id)]).toEqual([q, [programme.id]])
    const wave = await t.db.selectFrom('waves').select(['id', 'code', 'name', 'academicYear']).executeTakeFirstOrThrow()
    for (const q of [wave.code, wave.name, `${wave.name} ${wave.academicYear}`])
      expect((await found(staff, q)).wave?.map(({ id }) => id)).toContain(wave.id)
  })

  test('schools, affiliates and accounts by name', async () => {
    const all = await found(staff, 'kenanga')
    expect(all.school).toMatchObject([{ title: 'SMA NEGERI 3 KENANGA', note: 'Kota Surabaya' }])
    expect(all.affiliate).toMatchObject([{ title: 'Alumni Kenanga', code: 'KNG01', status: 'active' }])
    expect(all.account).toMatchObject([{ title: 'Sari Kenanga', code: 'sari.kenanga@contoh.test', note: 'Mahasiswa' }])
    expect((await found(staff, 'sman 3 ken')).school).toHaveLength(1)
    expect((await found(staff, 'sm')).school).not.toBeUndefined()
    expect((await found(staff, 'kng')).affiliate).toHaveLength(1)
    expect((await found(staff, 'sari.ken')).account).toHaveLength(1)
  })

  describe('regardless of apostrophes and accents', () => {
    const spellings = ["Ma'ruf Jose", 'Ma’ruf José', 'Ma‘ruf Jose\u0301', 'Ma`ruf JOSÉ', 'Maruf Jose', 'MAʼRUF josé']
    let maruf: TestActor
    let registrationId: string
    beforeAll(async () => {
      maruf = await asApplicant(t, { name: 'Ma’ruf José Amin' })
      await aProfile(t, maruf.accountId, { fullName: 'Ma’ruf José Amin' })
      registrationId = (await aRegistration(t, { applicant: maruf })).id
      await t.db
        .insertInto('affiliates')
        .values({ code: 'MRF01', name: 'Ma’ruf José', phone: '+6281234567891' })
        .execute()
      const { cityId } = await aPlace(t)
      await aSchool(t, { name: 'SMA Ma’arif José', cityId })
    })

    test.each(spellings)('%s finds the applicant in the palette and in every list', async (q) => {
      const listed = async (path: string) =>
        (await staff.get(`${path}?q=${encodeURIComponent(q)}`)).json().data.map((row: { id: string }) => row.id)
      expect(await registrations(staff, q)).toEqual([registrationId])
      expect((await found(staff, q)).account?.map(({ id }) => id)).toEqual([maruf.accountId])
      expect((await found(staff, q)).affiliate?.map(({ code }) => code)).toEqual(['MRF01'])
      expect(await listed('/pendaftaran')).toEqual([registrationId])
      expect(await listed('/settings/accounts')).toEqual([maruf.accountId])
      expect(await listed('/master/afiliator')).toHaveLength(1)
    })

    test.each(["sma ma'arif jose", 'sma ma’arif José', 'sma maarif'])('%s finds the school', async (q) => {
      expect((await found(staff, q)).school).toMatchObject([{ title: 'SMA Ma’arif José' }])
      expect((await sari.get(`/schools/search?q=${encodeURIComponent(q)}`)).json().data).toHaveLength(1)
    })

    test('only apostrophes find nothing', async () => expect(await found(staff, "''’")).toEqual({}))
  })

  test.each([
    ['a wrong letter', 'kenamga putri'],
    ['a missing letter', 'sari kenaga'],
    ['a letter too many', 'kenannga putri'],
    ['two exchanged letters', 'sari kenagna'],
    ['a wrong letter in a short word beside another', 'seri kenanga'],
  ])('an applicant despite %s', async (_, q) => {
    expect(await registrations(staff, q)).toEqual([enrolled.id])
    expect((await found(staff, q)).account?.map(({ id }) => id) ?? []).toEqual(
      q.includes('putri') ? [] : [sari.accountId],
    )
  })

  test('an exact name before one with a typo', async () => {
    const similar = await asApplicant(t, { name: 'Budi Santosa' })
    await aProfile(t, similar.accountId, { fullName: 'Budi Santosa' })
    const { id } = await aRegistration(t, { applicant: similar })
    expect(await registrations(staff, 'santoso')).toEqual([waiting.id, id])
  })

  test('nothing for pattern characters, which match literally', async () => {
    for (const q of ['%%%', '___', 'sari%', '\\\\\\', "o'neil"]) expect(await found(staff, q)).toEqual({})
  })

  test('nothing for one letter: 422', async () => {
    expect((await staff.get('/search?q=a')).statusCode).toBe(422)
  })
})

describe('the search is limited', () => {
  const queries = () => ['kenanga', enrolled.code, bill.number, paymentNumber, '27', 'sari', 'sma', '5']

  test('it needs a session', async () => {
    expect((await t.app.inject({ url: '/api/search?q=sari' })).statusCode).toBe(401)
  })

  test('each kind needs the permission of its screen', async () => {
    const powerless = await asWithPermissions(t, [])
    expect(await found(powerless, 'kenanga')).toEqual({})
    for (const kind of searchKinds) {
      const some = await asWithPermissions(t, [searchPermissions[kind][0]!])
      const kinds = new Set<string>()
      for (const q of queries().filter((one) => one.length > 1))
        for (const one of Object.keys(await found(some, q))) kinds.add(one)
      expect(
        [...kinds].filter((one) => !searchPermissions[one as SearchKind].includes(searchPermissions[kind][0]!)),
      ).toEqual([])
    }
  })

  test('a role limited to a programme finds only applicants, bills and numbers of that programme', async () => {
    const { academic } = enrolled
    const limited = await asWithPermissions(
      t,
      ['pendaftaran-view', 'pendaftaran-edit', 'pembayaran-mahasiswa-view', 'npm-mahasiswa-view'],
      { programmeIds: [academic.programmes[0]] },
    )
    expect(await registrations(limited, 'kenanga')).toEqual([enrolled.id])
    for (const q of ['budi', waiting.code, '081200000077', 'budi@contoh', bill.number, paymentNumber])
      expect(JSON.stringify(await found(limited, q))).not.toContain(waiting.id)
  })

  test('a limited role finds only accounts in its own list', async () => {
    const { academic } = enrolled
    const otherColleague = await asStaff(t, 'Keuangan', { name: 'Sari Pusat' })
    const colleague = await asWithPermissions(
      t,
      [],
      { programmeIds: [academic.programmes[0]] },
      { name: 'Sari Fakultas' },
    )
    const limited = await asWithPermissions(t, ['settings-accounts-view', 'settings-accounts-update'], {
      programmeIds: [academic.programmes[0]],
    })
    const listed = async (q: string) =>
      (await limited.get(`/settings/accounts?q=${q}`)).json().data.map(({ id }: { id: string }) => id)
    for (const q of ['sari', 'budi', 'pusat', otherColleague.email.slice(0, 8)]) {
      const ids = ((await found(limited, q)).account ?? []).map(({ id }) => id)
      expect([q, ids.toSorted()]).toEqual([q, (await listed(q)).toSorted()])
    }
    const ids = (await found(limited, 'sari')).account?.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([sari.accountId, colleague.accountId]))
    expect(ids).not.toContain(otherColleague.accountId)
  })

  test('a reader of masked contacts finds accounts masked, and not by address', async () => {
    const reader = await asWithPermissions(t, ['settings-accounts-view'])
    expect((await found(reader, 'sari ken')).account).toMatchObject([{ code: 's•••@contoh.test' }])
    expect((await found(reader, 'sari.kenanga@con')).account).toBeUndefined()
    const colleague = await asStaff(t, 'Keuangan', { name: 'Melati Uang', email: 'melati.uang@kampus.test' })
    expect((await found(reader, 'melati.uang@')).account).toMatchObject([{ code: colleague.email }])
  })

  test('an applicant finds only their own registrations and bills', async () => {
    const own = await found(sari, 'kenanga')
    expect(Object.keys(own)).toEqual(['registration'])
    expect(own.registration).toMatchObject([{ id: enrolled.id }])
    for (const q of ['budi', waiting.code, bill.number, paymentNumber, 'alumni'])
      expect(JSON.stringify(await found(sari, q))).not.toMatch(/Budi|Alumni/)
    const mine = await t.db
      .selectFrom('bills')
      .select('number')
      .where('registrationId', '=', enrolled.id)
      .executeTakeFirstOrThrow()
    expect((await found(sari, mine.number)).bill).toHaveLength(1)
  })

  test('an unpublished decision is hidden from the applicant', async () => {
    const applicant = await asApplicant(t, { profile: true })
    const { id, academic } = await aRegistration(t, {
      applicant,
      status: 'verified',
      trackId: enrolled.academic.tracks.achievement,
    })
    await t.db
      .updateTable('registrations')
      .set({ status: 'decided', decision: 'accepted', acceptedProgrammeId: academic.programmes[0] })
      .where('id', '=', id)
      .execute()
    const [hit] = (await found(applicant, 'sari')).registration!
    expect(hit).toMatchObject({ id, status: 'verified', note: 'Gelombang 1' })
  })

  test('a reader of masked phone numbers cannot search by phone, e-mail or NIK', async () => {
    const reader = await asWithPermissions(t, ['pendaftaran-view'])
    expect(await registrations(reader, 'sari ken')).toEqual([enrolled.id])
    for (const q of ['sari.kenanga@contoh', '084321', '3578015705084321', '+6281399887766', '0813 9988', '887766'])
      expect(await registrations(reader, q)).toEqual([])
  })
})

describe('with many rows', () => {
  /** Even in a quick run enough rows for PostgreSQL to prefer an index. */
  const manyRows = isWhole ? 20_000 : 8_000
  const large = 'registrations|applicants|accounts|bills|virtual_accounts|students|school_search|schools'

  beforeAll(async () => {
    // Applicants whose names share beginnings, each with a bill and a number.
    const { db } = t
    await sql`
      WITH people AS (
        INSERT INTO accounts (name, email, role_id)
        SELECT (ARRAY['Putri','Muhammad','Rizky','Ayu','Dewi','Agus','Indah','Bayu','Lestari','Yoga'])[1 + n % 10] || ' '
            || md5(n::text) || (ARRAY[' Pratama',' Wijaya',' Utami',' Saputra',' Hidayat'])[1 + n / 10 % 5],
          'orang' || n || '@contoh.test', (SELECT id FROM roles WHERE name = 'Mahasiswa') FROM generate_series(1, ${manyRows}::int) n
        RETURNING id, name
      ), profiles AS (
        INSERT INTO applicants (account_id, full_name, phone, nik)
        SELECT id, name, '+62815' || lpad((row_number() OVER ())::text, 8, '0'),
          '32' || lpad((row_number() OVER ())::text, 14, '0') FROM people RETURNING id, account_id
      ), made AS (
        INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id, programme_id)
        SELECT '26X' || lpad((row_number() OVER ())::text, 6, '0'), p.id, p.account_id, r.wave_id, r.track_id,
          r.entry_level_id, r.class_programme_id, r.programme_id
        FROM profiles p CROSS JOIN (SELECT * FROM registrations WHERE id = ${waiting.id}) r RETURNING id, account_id
      ), owed AS (
        INSERT INTO bills (number, registration_id, account_id, kind, total, issued_at)
        SELECT 'INV-2025-' || lpad((row_number() OVER ())::text, 6, '0'), id, account_id, 'registration_fee', 250000, now()
        FROM made RETURNING id
      )
      INSERT INTO virtual_accounts (bill_id, provider, bank, number, amount, expires_at)
      SELECT id, 'sandbox', 'sandbox-a', '7700' || lpad((row_number() OVER ())::text, 12, '0'), 250000, now() + interval '1 day'
      FROM owed`.execute(db)
    await sql`
      INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
      SELECT id, account_id, programme_id, '25' || right(code, 6), now() FROM registrations WHERE code LIKE '26X%'`.execute(
      db,
    )
    await sql`
      INSERT INTO schools (npsn, name, school_type_id, city_id)
      SELECT '7' || lpad(n::text, 7, '0'), 'SMA Swasta ' || md5(n::text), (SELECT id FROM school_types LIMIT 1), ${(await aPlace(t)).cityId}
      FROM generate_series(1, ${manyRows}::int) n`.execute(db)
    await sql`VACUUM ANALYZE`.execute(t.owner)
  }, 120_000)

  const scanOf = new RegExp(
    `Seq Scan on (?:${large})\\b[^\n]*rows=([\\d.]+)[^\n]*(?:\n +(?:Filter|Rows Removed by Filter: (\\d+))[^\n]*)*`,
    'g',
  )
  const queries = ['pu', 'putri', 'ratama', 'md5', 'a3f', '26x', '26x0012', '0815', '081500001234', '1234', '001234']
  const others = [
    'in',
    'inv-2025-0',
    '7700',
    'orang12',
    'orang12@',
    'sma sw',
    'sman 3 kenanga',
    'zzqx',
    'pratama pu',
    'pratema',
    'dewi pratamma',
  ]

  const whole = async (): Promise<Actor> => ({
    ...(await officerOf(t)),
    role: { id: crypto.randomUUID(), name: 'Petugas' },
    permissions: permissionSlugs,
  })
  test.each([...queries, ...others])('“%s” is answered from indexes, for every row scope', async (q) => {
    const all = await whole()
    const scoped: Actor = { ...all, scope: { kind: 'programmes', programmeIds: [enrolled.academic.programmes[0]] } }
    const own: Actor = {
      ...systemActor,
      accountId: sari.accountId,
      scope: { kind: 'own' },
      permissions: new Set(['pendaftaran-view']),
    }
    for (const actor of [all, scoped, own]) {
      const query = searchQuery(actor, q, t.clock.now())!
      const { rows } = await sql<Record<string, string>>`EXPLAIN (ANALYZE, COSTS OFF) ${query}`.execute(t.db)
      const plan = rows.map((row) => Object.values(row)[0]).join('\n')
      // A scan that stops after some rows has not read the table.
      const scans = [...plan.matchAll(scanOf)].filter(([, rows, removed]) => Number(rows) + Number(removed ?? 0) > 200)
      expect(scans.map(([line]) => line)).toEqual([])
    }
  })

  test('of thousands with the same beginning, five are read', async () => {
    const query = searchQuery(await whole(), 'pu', t.clock.now())!
    const { rows } = await sql<Record<string, string>>`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${query}`.execute(t.db)
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    const maxRows = Math.max(...[...plan.matchAll(/rows=([\d.]+) loops=/g)].map(([, count]) => Number(count)))
    expect(maxRows).toBeLessThanOrEqual(40)
  })
})
