import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMails } from '#server/modules/campaigns/claim/claim.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aCampaign, aTemplate, setLimits, statesOf } from '#server-test/factories/sending.ts'
import { aConnection, cloudBody, graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createLane } from './lane.ts'
import { sendDue } from './sender.ts'

let t: TestApp
let staff: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>

beforeAll(async () => {
  t = await testApp()
  graph = await graphServer()
  t.clock.set('2027-01-04T03:00:00Z')
  staff = await asStaff(t)
  await aConnection(staff, cloudBody(graph))
})
afterAll(async () => {
  await t.close()
  await graph.close()
})

test.each([
  ['that is too long', 'w'.repeat(201)],
  ['with a character that cannot be stored', 'wamid.\u0000'],
])('an id of Meta %s does not keep other answers from being recorded', async (_of, messageId) => {
  graph.reset()
  graph.say({ status: 200, body: { messages: [{ id: messageId }] } })
  const campaign = { createdBy: staff.accountId, channels: ['whatsapp' as const], template: aTemplate }
  const id = await aCampaign(t, campaign, [{}, {}, {}])
  await sendDue(t.services).catch(() => undefined)
  expect(await statesOf(t, id)).toMatchObject({ accepted: 2 })
})

test('an answer that cannot be stored does not keep other answers of its lane from being recorded', async () => {
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
  const id = await aCampaign(t, { createdBy: staff.accountId }, [{}, {}, {}])
  let calls = 0
  const lane = createLane(
    t.services,
    {
      channel: 'email',
      prepare: async () => ({ workers: 3 }),
      claim: (context, campaignId, most) => claimMails(context, campaignId, most),
      async call({ handoverId }) {
        const providerMessageId = ++calls === 2 ? 'w'.repeat(201) : `id-${calls}`
        return { kind: 'news', news: { id: handoverId, state: 'accepted', at: t.clock.now(), providerMessageId } }
      },
    },
    new AbortController().signal,
  )
  await lane.run({ untilIdle: true })
  expect(await statesOf(t, id)).toEqual({ accepted: 2, handed: 1 })
})
