import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendDue } from '#server/modules/campaigns/send/sender.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlanned, draftInput, takeStep } from '#server-test/factories/campaigns.ts'
import { recordedMails, setLimits } from '#server-test/factories/sending.ts'
import { csvOf } from '#server-test/factories/sheets/sheets.ts'
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

test('a formula without a result is a problem of its row and is sent to nobody', async () => {
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

test('braces in a value are sent as they stand', async () => {
  const sheet = await aSheet([
    ['Nama', 'Email', 'Ruang'],
    ['Ani', 'ani@example.com', 'A}} {{Nama}}'],
  ])
  expect(await mailsFor(sheet, 'Ruang {{Ruang}}')).toEqual(['Ruang A}} {{Nama}}'])
})

test('columns called like a common placeholder fill it; without them the university and the person do', async () => {
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

test.each(['__proto__', 'constructor', 'toString'])('a column cannot be called %s', async (heading) => {
  const refused = await send([
    ['Nama', 'Email', heading],
    ['Ani', 'ani@example.com', ''],
  ])
  expect(refused.statusCode, refused.body).toBe(422)
  expect(refused.json().errors.file[0]).toContain(heading)
})
