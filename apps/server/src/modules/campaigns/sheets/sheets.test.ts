import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepSheetDays, maxSheetRows } from '#domain/campaigns/campaigns.ts'
import { errors } from '#locales/en/errors.ts'
import { forgetCampaignsJob } from '#server/modules/campaigns/forget-campaigns.job.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import {
  aDraft,
  aPlanned,
  aRunningCampaign,
  draftInput,
  finishCampaign,
  readCampaign,
  setRecipient,
  takeStep,
} from '#server-test/factories/campaigns.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { recipientsOf } from '#server-test/factories/sending.ts'
import { csvOf, xlsxOfRows } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

type Rows = (string | number)[][]
const send = (rows: Rows, actor = staff, name = 'Undangan.csv') =>
  actor.upload('/kirim-informasi/sheets', { name, type: 'text/csv', bytes: csvOf(rows) })
async function aSheet(rows: Rows, actor = staff) {
  const answer = await send(rows, actor)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}
const problemsOf = async (id: string) =>
  (await staff.get(`/kirim-informasi/sheets/${id}/problems`))
    .json()
    .data.map(({ number, problems }: { number: number; problems: { code: string }[] }) => [
      number,
      problems.map(({ code }) => code),
    ])

const otherKind = errors.file_type.replace('{{accepted}}', 'XLSX, CSV')

describe('a spreadsheet', () => {
  test('has its columns recognised, its phones normalised and every problem listed', async () => {
    const sheet = await aSheet([
      ['Nama', 'No. HP', 'E-mail', 'Bahasa', 'Jumlah'],
      ['Sari', '0812-0003-001', 'sari@example.com', 'Indonesia', 'Rp 250.000'],
      ['Budi', '8120003002', '', '', '100'],
      ['Tono', '12', 'tono(at)example.com', 'Sunda', ''],
      ['Sari lagi', '+62 812 0003 001', 'SARI@example.com', '', ''],
      ['', '', '', '', '5'],
    ])
    expect(sheet).toMatchObject({
      ...{ fileName: 'Undangan.csv', rows: 5, problems: 3 },
      ...{ nameColumn: 'Nama', phoneColumn: 'No. HP', emailColumn: 'E-mail', languageColumn: 'Bahasa' },
      columns: ['Nama', 'No. HP', 'E-mail', 'Bahasa', 'Jumlah'],
    })
    expect(sheet.sample[0]).toMatchObject({ Nama: 'Sari', Jumlah: 'Rp 250.000' })
    expect(await problemsOf(sheet.id)).toEqual([
      [4, ['phone_invalid', 'email_invalid', 'language_unknown']],
      [5, ['phone_repeated', 'email_repeated']],
      [6, ['no_address']],
    ])
    const csv = await staff.get(`/kirim-informasi/sheets/${sheet.id}/problems/export`, { 'accept-language': 'id' })
    expect(csv.headers['content-disposition']).toContain(encodeURIComponent('masalah-Undangan.csv'))
    expect(csv.body).toContain('Baris;Nama;No. HP;E-mail;Bahasa;Jumlah;Masalah')
    expect(csv.body).toContain('4;Tono;12;tono(at)example.com;Sunda;;')
    expect(csv.body).toContain('No. HP: Nomor telepon tidak dikenali')
  })

  test('is judged again when other columns hold the addresses', async () => {
    const sheet = await aSheet([
      ['Orang', 'Kontak Wali', 'Kode'],
      ['Sari', '081200030011', 'A1'],
      ['Budi', 'x', 'A2'],
    ])
    expect([sheet.phoneColumn, sheet.problems]).toEqual([null, 2])
    const columns = { phoneColumn: 'Kontak Wali', emailColumn: null, nameColumn: 'Orang', languageColumn: null }
    const changed = (await staff.put(`/kirim-informasi/sheets/${sheet.id}`, columns)).json().data
    expect(changed).toMatchObject({ ...columns, problems: 1 })
    expect(await problemsOf(sheet.id)).toEqual([[3, ['phone_invalid']]])
    const refused = await staff.put(`/kirim-informasi/sheets/${sheet.id}`, {
      ...{ phoneColumn: 'Nothing', emailColumn: 'Kode', nameColumn: 'Kode', languageColumn: null },
    })
    expect(Object.keys(refused.json().errors).toSorted()).toEqual(['nameColumn', 'phoneColumn'])
  })

  test('saved by Excel keeps phones that Excel stored as numbers', async () => {
    const bytes = await xlsxOfRows(
      [
        { key: 'nama', label: 'Nama', kind: 'text' },
        { key: 'hp', label: 'HP', kind: 'number' },
      ],
      [{ nama: 'Sari', hp: 81200030021 }],
    )
    const answer = await staff.upload('/kirim-informasi/sheets', { name: 'a.xlsx', type: 'x', bytes })
    expect(answer.json().data).toMatchObject({ rows: 1, problems: 0, phoneColumn: 'HP' })
  })

  test('with addresses in other notations reaches nobody who opted out', async () => {
    for (const address of ['keluar@example.com', '+6281200030061'])
      await t.db
        .insertInto('optOuts')
        .values({ address, purpose: 'events', source: 'link', createdAt: t.clock.now() })
        .execute()
    const sheet = await aSheet([
      ['Nama', 'E-mail', 'HP'],
      ['Sari', 'mailto:Keluar@example.com', ''],
      ['Sari', '', '+62 (0)812 0003 0061'],
      ['Sari', 'keluar\u200b@example.com', ''],
      ['Sari', 'pmb:keluar@example.com', ''],
    ])
    const planned = await aPlanned(staff, {
      ...{ audience: 'sheet', sheetId: sheet.id, purpose: 'events', channels: ['whatsapp', 'email'] },
    })
    expect((await recipientsOf(t, planned.id)).map(({ reason }) => reason)).toEqual([
      ...['opted_out', 'opted_out', 'opted_out', 'no_address'],
    ])
  })

  test.each<[string, string, Buffer, string]>([
    [
      'whose bytes are not a workbook is unreadable',
      'a.xlsx',
      Buffer.from([73, 100, 0, 139, 219]),
      errors.file_unreadable,
    ],
    ['that is cut off is unreadable', 'a.xlsx', Buffer.from('PK\x03\x04\x14\x00', 'latin1'), errors.file_unreadable],
    [
      'of another old Office program has a type that is not accepted',
      'a.xlsx',
      Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      otherKind,
    ],
    ['that is really a program has a type that is not accepted', 'a.exe', Buffer.from([77, 90, 0, 3]), otherKind],
  ])('%s', async (_, name, bytes, sentence) => {
    const answer = await staff.upload('/kirim-informasi/sheets', { name, type: 'x', bytes })
    expect([answer.statusCode, answer.json().errors.file]).toEqual([422, [sentence]])
  })

  test('with too many rows is refused before any row is stored', { timeout: 60_000 }, async () => {
    const name = 'Terlalu banyak.csv'
    const rule = sql.raw(`none_stored CHECK (file_name <> '${name}') NOT VALID`)
    await sql`ALTER TABLE campaign_sheets ADD CONSTRAINT ${rule}`.execute(t.owner)
    const bytes = Buffer.from(`Nama,HP\n${'Sari,081200030051\n'.repeat(maxSheetRows + 1)}`)
    const answer = await staff.upload('/kirim-informasi/sheets', { name, type: 'text/csv', bytes })
    await sql`ALTER TABLE campaign_sheets DROP CONSTRAINT none_stored`.execute(t.owner)
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { file: [errors.sheet_rows.replace('{{maximum}}', '200.000')] },
    ])
  })

  test('with more lines than rows, because cells have several lines, is read', async () => {
    const lines = '\n'.repeat(maxSheetRows / 10)
    const texts = Array.from({ length: 11 }, (_, index) => [`Orang ${index}`, lines])
    const sheet = await aSheet([['Nama', 'Catatan'], ...texts])
    expect(sheet.rows).toBe(11)
  })

  test('with characters beyond 16 bits where a name and a value are cut is read', async () => {
    const sheet = await aSheet([
      ['Nama', 'HP'],
      [`${'x'.repeat(119)}😀`, '081200030051'],
      ['Sari', `${'x'.repeat(199)}😀`],
    ])
    expect(await problemsOf(sheet.id)).toEqual([
      [2, ['value_too_long']],
      [3, ['phone_invalid']],
    ])
  })

  test.each(['id', 'en'] as const)(
    'whose problem rows are downloaded as %s can be corrected and uploaded repeatedly',
    async (language) => {
      let bytes = csvOf([
        ['Nama', 'HP', 'Catatan'],
        ['Sari', '+62 812 0003 071', '=1+1'],
        ['Sari', '+62 812 0003 071', '-'],
        ['Budi', '+62 812 0003 071', '@'],
      ])
      for (const problems of [2, 1, 0]) {
        const answer = await staff.upload('/kirim-informasi/sheets', { name: 'a.csv', type: 'text/csv', bytes })
        expect(answer.statusCode, answer.body).toBe(201)
        const sheet = answer.json().data
        expect(sheet).toMatchObject({ columns: ['Nama', 'HP', 'Catatan'], phoneColumn: 'HP', problems })
        expect(sheet.sample[0]).toMatchObject({
          HP: '+62 812 0003 071',
          Catatan: { 2: '=1+1', 1: '-', 0: '@' }[problems],
        })
        const url = `/kirim-informasi/sheets/${sheet.id}/problems/export`
        bytes = Buffer.from((await staff.get(url, { 'accept-language': language })).body)
      }
    },
  )

  test.each([
    ['no rows', [['Nama', 'HP']]],
    [
      'a heading twice',
      [
        ['HP', 'HP'],
        ['1', '2'],
      ],
    ],
    [
      'a heading without a name',
      [
        ['HP', '', 'Nama'],
        ['1', '2', '3'],
      ],
    ],
    [
      'a heading that no placeholder can name',
      [
        ['HP', '{{x}}'],
        ['1', '2'],
      ],
    ],
  ] as [string, Rows][])('with %s is refused', async (_, rows) => {
    const answer = await send(rows)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['file']])
    expect(await t.db.selectFrom('campaignSheets').select('id').where('rowCount', '=', 0).execute()).toEqual([])
  })

  test('is visible to its uploader and to users who see the whole university', async () => {
    const { programmes } = await academicOf(t)
    const limited = await asWithPermissions(t, ['kirim-informasi-file-excel'], { programmeIds: [programmes[0]!] })
    const other = await asWithPermissions(t, ['kirim-informasi-file-excel'], { programmeIds: [programmes[0]!] })
    const sheet = await aSheet([['HP'], ['081200030031']], limited)
    expect((await other.get(`/kirim-informasi/sheets/${sheet.id}`)).statusCode).toBe(404)
    expect((await other.get(`/kirim-informasi/sheets/${sheet.id}/problems/export`)).statusCode).toBe(404)
    expect((await staff.get(`/kirim-informasi/sheets/${sheet.id}`)).statusCode).toBe(200)
    const draft = draftInput({ audience: 'sheet', sheetId: sheet.id, channels: ['whatsapp'] })
    const refused = await other.post('/kirim-informasi/campaigns', draft)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['sheetId']])
    expect((await limited.post('/kirim-informasi/campaigns', draft)).statusCode).toBe(201)
  })
})

describe('a campaign from a spreadsheet', () => {
  test('has no filters', async () => {
    const sheet = await aSheet([['HP'], ['081200030051']])
    const change = { audience: 'sheet' as const, sheetId: sheet.id, channels: ['whatsapp' as const] }
    const refused = await staff.post('/kirim-informasi/campaigns', draftInput({ ...change, filters: { kind: 'x' } }))
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['filters']])
  })

  const rows: Rows = [
    ['Nama', 'HP', 'Email', 'Bahasa', 'Tempat Tes'],
    ['Sari', '081200030041', 'sari41@example.com', 'id', 'Aula'],
    ['Budi', '', 'budi41@example.com', 'en', ''],
    ['Tono', 'nothing', '', '', 'Aula'],
  ]

  test('fills placeholders from its columns and skips rows with problems or without a value', async () => {
    const sheet = await aSheet(rows)
    const change = {
      ...{ audience: 'sheet' as const, sheetId: sheet.id, channels: ['email' as const] },
      ...{ bodyId: '{{Tempat Tes}}', bodyEn: '{{Tempat Tes}}' },
    }
    const planned = await aPlanned(staff, change)
    expect(
      (await recipientsOf(t, planned.id)).map(({ name, state, reason, values }) => [name, state, reason, values]),
    ).toEqual([
      ['Sari', 'planned', null, { 'Tempat Tes': 'Aula' }],
      ['Budi', 'skipped', 'value_missing', {}],
      ['Tono', 'skipped', 'no_address', { 'Tempat Tes': 'Aula' }],
    ])
    expect(planned.sheet).toMatchObject({ fileName: 'Undangan.csv', rows: 3 })
    const refused = await staff.post('/kirim-informasi/campaigns', draftInput({ ...change, bodyId: '{{Ruang}}' }))
    expect(Object.keys(refused.json().errors)).toEqual(['bodyId'])
  })

  test('skips a repeated address as same_address and another problem as invalid_row', async () => {
    const sheet = await aSheet([
      ['Nama', 'HP', 'Email'],
      ['Sari', '0812-0006-2001', 'sari62@example.com'],
      ['Sari lagi', '', 'sari62@example.com'],
      ['Tono', '12', 'tono62@example.com'],
    ])
    const { id } = await aPlanned(staff, { audience: 'sheet', sheetId: sheet.id })
    expect((await recipientsOf(t, id)).map(({ state, reason }) => reason ?? state)).toEqual([
      ...['planned', 'same_address', 'invalid_row'],
    ])
  })

  test('skips rows without a name if the text uses the name', async () => {
    const sheet = await aSheet([
      ['Nama', 'Email'],
      ['Sari', 'sari61@example.com'],
      ['', 'tanpa-nama@example.com'],
    ])
    const change = { audience: 'sheet' as const, sheetId: sheet.id }
    const planned = await aPlanned(staff, change)
    expect((await recipientsOf(t, planned.id)).map(({ state, reason }) => reason ?? state)).toEqual([
      ...['planned', 'value_missing'],
    ])
    const { name: _name, ...question } = draftInput(change)
    const { data } = (await staff.post('/kirim-informasi/campaigns/preview', question)).json()
    const nameless = data.examples.find(({ name }: { name: string }) => name === '')
    expect(nameless).toMatchObject({ missing: ['name'], skipReason: 'value_missing' })
    expect(nameless.messages[0].body).toMatch(/^Yth\. \[name\], /)
    const without = { subjectId: 'Kabar', subjectEn: 'News', bodyId: 'Halo', bodyEn: 'Hello' }
    expect((await aPlanned(staff, { ...change, ...without })).reachable).toBe(2)
  })

  test('whose sheet was deleted cannot be continued', async () => {
    const sheet = await aSheet(rows)
    const planned = await aPlanned(staff, { audience: 'sheet', sheetId: sheet.id })
    const read = async () => (await staff.get(`/kirim-informasi/campaigns/${planned.id}`)).json().data
    await t.db
      .updateTable('campaigns')
      .set({ state: 'finished', startedAt: t.clock.now(), endedAt: t.clock.now() })
      .where('id', '=', planned.id)
      .execute()
    expect((await read()).may).toContain('continue')
    await t.db.deleteFrom('campaignSheets').where('id', '=', sheet.id).execute()
    const campaign = await read()
    expect(campaign.may).not.toContain('continue')
    const refused = await takeStep(staff, campaign, 'continue')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'campaign_sheet_gone'])
  })

  test('keeps its recipients when the sheet is forgotten and erases them when messages of their age are', async () => {
    const sheet = await aSheet(rows)
    const draft = await aDraft(staff, { audience: 'sheet', sheetId: sheet.id })
    const planned = (await takeStep(staff, draft, 'plan')).json().data
    await takeStep(staff, planned, 'cancel')
    const start = t.clock.now()
    const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000)
    const exists = async () =>
      (await t.db.selectFrom('campaignSheets').select('id').where('id', '=', sheet.id).execute()).length
    t.clock.set(inDays(keepSheetDays - 1))
    await forgetCampaignsJob.run(t.services, {} as never)
    expect(await exists()).toBe(1)
    t.clock.set(inDays(keepSheetDays + 1))
    await forgetCampaignsJob.run(t.services, {} as never)
    expect(await exists()).toBe(0)
    expect((await recipientsOf(t, planned.id))[0]).toMatchObject({ name: 'Sari', email: 'sari41@example.com' })
    t.clock.set(inDays(1096))
    await forgetCampaignsJob.run(t.services, {} as never)
    const recipients = await recipientsOf(t, planned.id)
    expect(recipients).toHaveLength(3)
    expect(recipients.every(({ name, phone, email }) => name === '' && phone === null && email === null)).toBe(true)
    t.clock.set(start)
  })
})

test('rows that a campaign reached are not continued after other columns are assigned', async () => {
  const sheet = await aSheet([
    ['Nama', 'Email', 'Email orang tua'],
    ['Ani', 'ani@example.com', 'ortu-ani@example.com'],
    ['Budi', 'budi@example.com', 'ortu-budi@example.com'],
  ])
  const running = await aRunningCampaign(t, staff, { audience: 'sheet', sheetId: sheet.id })
  await setRecipient(t, running.id, 1, 'accepted')
  await setRecipient(t, running.id, 2, 'failed')
  await finishCampaign(t, running.id)
  const columns = { phoneColumn: null, emailColumn: 'Email orang tua', nameColumn: 'Nama', languageColumn: null }
  expect((await staff.put(`/kirim-informasi/sheets/${sheet.id}`, columns)).statusCode).toBe(200)
  const child = (await takeStep(staff, await readCampaign(staff, running.id), 'continue')).json().data
  await takeStep(staff, child, 'plan')
  expect((await recipientsOf(t, child.id)).map(({ email }) => email)).toEqual(['ortu-budi@example.com'])
  await forgetCampaignsJob.run(t.services, {} as never)
  expect((await recipientsOf(t, child.id)).map(({ email }) => email)).toEqual(['ortu-budi@example.com'])
})

test('the nightly job forgets recipients whose lead was deleted', async () => {
  const leadId = await aLead(t, { email: 'dihapus@example.com' })
  const planned = await aPlanned(staff, { audience: 'leads', purpose: 'events' })
  await t.db.deleteFrom('leads').where('id', '=', leadId).execute()
  await forgetCampaignsJob.run(t.services, {} as never)
  const recipients = await recipientsOf(t, planned.id)
  expect(recipients.filter(({ email }) => email === 'dihapus@example.com')).toEqual([])
  expect(recipients).toHaveLength(planned.recipients)
})
