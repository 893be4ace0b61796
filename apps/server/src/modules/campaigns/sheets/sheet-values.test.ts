import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendDue } from '#server/modules/sending/sender.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlanned, draftInput, takeStep } from '#server-test/factories/campaigns.ts'
import { recipientsOf, recordedMails, setLimits } from '#server-test/factories/sending.ts'
import { csvOf, xlsxOfRows } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
const mailbox = recordedMails(() => undefined)
beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  t.clock.set('2027-01-04T03:00:00Z')
  staff = await asStaff(t)
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000, quietHours: false })
})
afterAll(() => t.close())

const send = (rows: string[][]) =>
  staff.upload('/kirim-informasi/sheets', { name: 'a.csv', type: 'text/csv', bytes: csvOf(rows) })
const aSheet = async (rows: string[][]) => (await send(rows)).json().data
const draftFor = (sheet: { id: string }, bodyId: string) => ({
  ...{ audience: 'sheet' as const, sheetId: sheet.id, purpose: 'admission' as const, channels: ['email' as const] },
  ...{ subjectId: 'Kabar', subjectEn: 'News', bodyId, bodyEn: bodyId },
})
async function mailsFor(sheet: { id: string }, bodyId: string) {
  const planned = await aPlanned(staff, draftFor(sheet, bodyId))
  await takeStep(staff, planned, 'release', { startsAt: null })
  mailbox.mails.length = 0
  await sendDue(t.services)
  return mailbox.mails.map(({ text }) => text.split('\n')[0])
}
const problemsOf = async ({ id }: { id: string }) =>
  (await staff.get(`/kirim-informasi/sheets/${id}/problems`)).json().data

test('every kind of line end separates recipients; a row with too many or few cells is sent to nobody', async () => {
  const text =
    'Nama,Email,Ruang\r\nAni,ani@example.org,A\nBudi,budi@example.org\nCici,cici@example.org,C\nD,d@example.org,D,x\r\n'
  const upload = { name: 'a.csv', type: 'text/csv', bytes: Buffer.from(text) }
  const sheet = (await staff.upload('/kirim-informasi/sheets', upload)).json().data
  expect(sheet).toMatchObject({ rows: 4, problems: 2, invalid: 2 })
  const wrong = [{ column: null, code: 'cells_wrong', value: null }]
  const expected = [
    { number: 3, name: 'Budi', problems: wrong },
    { number: 5, name: 'D', problems: wrong },
  ]
  expect(await problemsOf(sheet)).toEqual(expected)
  // Assigning the columns again does not clear the problem `cells_wrong`.
  const columns = { phoneColumn: null, emailColumn: 'Email', nameColumn: 'Nama', languageColumn: null }
  const answer = await staff.put(`/kirim-informasi/sheets/${sheet.id}`, columns)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await problemsOf(sheet)).toEqual(expected)
})

test('a number that lost digits is sent to nobody; one that may have lost zeros is reported and sent', async () => {
  const columns = [
    ...(['Nama', 'Email'] as const).map((key) => ({ key, label: key, kind: 'text' as const })),
    ...(['NIK', 'Nomor peserta', 'Biaya'] as const).map((key) => ({ key, label: key, kind: 'number' as const })),
  ]
  const bytes = await xlsxOfRows(columns, [
    { Nama: 'Ani', Email: 'ani@example.net', NIK: 3_170_000_000_000_001, Biaya: 0.1 + 0.2 },
    { Nama: 'Budi', Email: 'budi@example.net', 'Nomor peserta': 12_345, Biaya: 1_650_000.0000000002 },
  ])
  const upload = { name: 'a.xlsx', type: 'application/octet-stream', bytes }
  const sheet = (await staff.upload('/kirim-informasi/sheets', upload)).json().data
  expect(sheet).toMatchObject({ rows: 2, problems: 2, invalid: 1 })
  const expected = [
    { number: 2, name: 'Ani', problems: [{ column: 'NIK', code: 'number_cut', value: '3.17e+15' }] },
    { number: 3, name: 'Budi', problems: [{ column: 'Nomor peserta', code: 'zeros_lost', value: '12345' }] },
  ]
  expect(await problemsOf(sheet)).toEqual(expected)
  const chosen = { phoneColumn: null, emailColumn: 'Email', nameColumn: 'Nama', languageColumn: null }
  await staff.put(`/kirim-informasi/sheets/${sheet.id}`, chosen)
  expect(await problemsOf(sheet)).toEqual(expected)
  expect(await mailsFor(sheet, '{{Nomor peserta}}: {{Biaya}}')).toEqual(['12345: 1650000'])
})

test('a formula without a result is a problem of its row, which is sent to nobody', async () => {
  const sheet = await aSheet([
    ['Nama', 'Email', 'HP', 'Bahasa', 'Ruang'],
    ['Ani', 'ani@example.com', '', '', '#N/A'],
    ['#REF!', 'budi@example.com', '#VALUE!', '#NAME?', 'A1'],
    ['Cici', 'cici@example.com', '', '', '#1'],
  ])
  expect(await problemsOf(sheet)).toEqual([
    { number: 2, name: 'Ani', problems: [{ column: 'Ruang', code: 'formula_error', value: '#N/A' }] },
    {
      ...{ number: 3, name: '#REF!' },
      problems: [
        { column: 'Nama', code: 'formula_error', value: '#REF!' },
        { column: 'HP', code: 'formula_error', value: '#VALUE!' },
        { column: 'Bahasa', code: 'formula_error', value: '#NAME?' },
      ],
    },
  ])
  expect(await mailsFor(sheet, 'Ruang {{Ruang}}')).toEqual(['Ruang #1'])
})

test('a phone shared by two rows is reported, and both still get their e-mail', async () => {
  const sheet = await aSheet([
    ['Nama', 'Email', 'HP'],
    ['Ani', 'ani71@example.com', '081200030081'],
    ['Adik Ani', 'adik71@example.com', '0812 0003 0081'],
    ['Ani lagi', 'ANI71@example.com', '081200030081'],
    ['Budi', 'budi71@example.com', '12'],
    ['Budi', 'budi71@example.com', '081200030082'],
  ])
  expect(sheet).toMatchObject({ rows: 5, problems: 3, invalid: 2 })
  expect(
    (await problemsOf(sheet)).map(({ number, problems }: { number: number; problems: { code: string }[] }) => [
      number,
      problems.map(({ code }) => code),
    ]),
  ).toEqual([
    [3, ['phone_repeated']],
    [4, ['phone_repeated', 'email_repeated']],
    [5, ['phone_invalid']],
  ])
  const csv = (await staff.get(`/kirim-informasi/sheets/${sheet.id}/problems/export`)).body
  expect(csv).not.toContain('Adik Ani')
  expect(csv).toContain('Ani lagi')
  expect((await mailsFor(sheet, '{{Nama}}')).toSorted()).toEqual(['Adik Ani', 'Ani', 'Budi'])
  const byPhone = await aPlanned(staff, { ...draftFor(sheet, '{{Nama}}'), channels: ['whatsapp'] })
  expect((await recipientsOf(t, byPhone.id)).map(({ name, reason }) => [name, reason])).toEqual([
    ['Ani', null],
    ['Adik Ani', 'same_address'],
    ['Ani lagi', 'same_address'],
    ['Budi', 'no_address'],
    ['Budi', null],
  ])
})

test('braces in a value are sent unchanged', async () => {
  const sheet = await aSheet([
    ['Nama', 'Email', 'Ruang'],
    ['Ani', 'ani@example.com', 'A}} {{Nama}}'],
  ])
  expect(await mailsFor(sheet, 'Ruang {{Ruang}}')).toEqual(['Ruang A}} {{Nama}}'])
})

test('columns named like common placeholders fill them; without such columns the person and the university do', async () => {
  const own = await aSheet([
    ['Nama', 'Email', 'name', 'university'],
    ['Ani', 'ani@example.com', 'Nisa', 'Universitas Mitra'],
    ['Budi', 'budi@example.com', '', 'Universitas Mitra'],
  ])
  expect(own.nameColumn).toBe('Nama')
  expect(await mailsFor(own, '{{name}}, {{university}}')).toEqual(['Nisa, Universitas Mitra'])
  const { name: _name, ...question } = draftInput(draftFor(own, '{{name}}, {{university}}'))
  const { data } = (await staff.post('/kirim-informasi/campaigns/preview', question)).json()
  expect(data.skipped).toEqual([{ reason: 'value_missing', people: 1 }])
  expect(
    data.examples.map(({ missing, messages }: { missing: string[]; messages: { body: string }[] }) => [
      missing,
      messages.map(({ body }) => body),
    ]),
  ).toEqual([
    [[], ['Nisa, Universitas Mitra']],
    [['name'], ['[name], Universitas Mitra']],
  ])
  const common = await aSheet([
    ['Nama', 'Email'],
    ['Ani', 'ani@example.com'],
  ])
  expect(await mailsFor(common, '{{name}}, {{university}}')).toEqual([
    expect.stringMatching(/^Ani, (?!Universitas Mitra)/),
  ])
})

test.each(['__proto__', 'constructor', 'toString'])('a column named %s gets 422', async (heading) => {
  const refused = await send([
    ['Nama', 'Email', heading],
    ['Ani', 'ani@example.com', ''],
  ])
  expect(refused.statusCode, refused.body).toBe(422)
  expect(refused.json().errors.file[0]).toContain(heading)
})
