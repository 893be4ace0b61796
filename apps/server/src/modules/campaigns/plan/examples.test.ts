import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aDraft, previewDraft } from '#server-test/factories/campaigns.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { aConnection, cloudBody, connectionBody, graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
beforeAll(async () => {
  t = await testApp()
  graph = await graphServer()
  staff = await asStaff(t)
})
afterAll(async () => {
  await t.close()
  await graph.close()
})
beforeEach(async () => {
  await t.db.deleteFrom('leads').execute()
})

const invitation: Partial<CampaignDraft> = {
  audience: 'leads',
  purpose: 'events',
  channels: ['whatsapp'],
  bodyId: 'Mari datang.',
}
const previewed = async (change: Partial<CampaignDraft> = {}) => {
  const answer = await previewDraft(staff, { ...invitation, ...change })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const linkLine = 'Tidak ingin menerima pesan seperti ini lagi: http://localhost:3000/berhenti-pesan/'

test('the preview of free text shows the opt-out, but not the link of a real person', async () => {
  await aLead(t, { phone: '+6281200070001' })
  await aConnection(staff, connectionBody())
  const anyTime = await previewed()
  expect(anyTime.examples[0].messages[0].body).toBe(`Mari datang.\n\n${linkLine}…`)
  expect(anyTime.outsideWindow).toBeNull()
  const { id: connectionId } = await aConnection(staff, cloudBody(graph))
  await t.db
    .insertInto('whatsappWindows')
    .values({ connectionId, address: '+6281200070001', lastAt: t.clock.now() })
    .execute()
  expect((await previewed()).examples[0].messages[0].body).toBe(
    'Mari datang.\n\nBalas BERHENTI untuk berhenti menerima pesan ini.',
  )
})

test('a test message of marketing carries the opt-out link of the user who tests it', async () => {
  await aConnection(staff, connectionBody())
  await t.db.updateTable('accounts').set({ phone: '+6281200070009' }).where('id', '=', staff.accountId).execute()
  const { id } = await aDraft(staff, invitation)
  expect((await staff.post(`/kirim-informasi/campaigns/${id}/test`, { language: 'id' })).statusCode).toBe(200)
  const { body } = await t.db
    .selectFrom('messages')
    .select('body')
    .where('accountId', '=', staff.accountId)
    .where('channel', '=', 'whatsapp')
    .executeTakeFirstOrThrow()
  expect(body).toContain(linkLine)
})

test("a missing value shows its placeholder's name in the language of the user", async () => {
  await aConnection(staff, connectionBody())
  await aLead(t, { phone: '+6281200070002' })
  const [example] = (await previewed({ bodyId: 'Jurusan {{programme}}' })).examples
  expect([example.language, example.missing]).toEqual(['id', ['programme']])
  expect(example.messages[0].body).toMatch(/^Jurusan \[study programme\]/)
})
