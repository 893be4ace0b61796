import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { fillMessage } from './render-message.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
afterAll(() => t.close())

test.each([
  ['/master/notifikasi-whatsapp', 'subjectEn'],
  ['/master/notifikasi-whatsapp', 'subjectId'],
  ['/messages/test', 'subject'],
  ['/kirim-informasi/campaigns', 'subjectId'],
  ['/kirim-informasi/campaigns', 'subjectEn'],
  ['/kirim-informasi/templates', 'subjectId'],
  ['/kirim-informasi/templates', 'subjectEn'],
  ['/report-mails', 'name'],
] as const)('%s refuses a line break in %s with an error beside the field', async (url, field) => {
  const errorsOf = async (text: string) => (await admin.post(url, { [field]: text })).json().errors[field]
  for (const separator of ['\n', '\r\n', '\u2028', '\t'])
    expect(await errorsOf(`Undangan${separator}Bcc: orang@example.com`)).toEqual(['Please write this in one line.'])
  expect(await errorsOf('Undangan “Juli” – 2026')).toBeUndefined()
})

test.each(['message_templates', 'campaign_templates', 'campaigns'])(
  '%s cannot store a subject of two lines',
  async (table) => {
    const { rows } = await sql<{ definition: string }>`SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conname = ${`${table}_subject_one_line`}`.execute(t.db)
    expect(rows[0]!.definition).toContain('[[:cntrl:]]')
  },
)

test('a name with a line break leaves the subject on one line', () => {
  const event = { event: 'event-ticket', language: 'id', params: { title: 'Hari\r\nterbuka' } } as const
  expect(fillMessage(event, '').subject).toContain('Hari terbuka')
})
