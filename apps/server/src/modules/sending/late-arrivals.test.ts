import crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Channel } from '#domain/campaigns/campaigns.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { News } from '#server/modules/messaging/handovers/news.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aCampaign, handoversOf, recipientsOf, recordedMails, setLimits } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendDue } from './sender.ts'

let t: TestApp
let staff: TestActor
const mailbox = recordedMails()

beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  t.clock.set('2027-01-04T03:00:00Z')
  staff = await asStaff(t)
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
})
afterAll(() => t.close())
beforeEach(() => {
  mailbox.mails.length = 0
})

const tell = (...news: News[]) => inTransaction(t.services, systemActor, (context) => advanceHandovers(context, news))
const failed = (id: string): News => ({
  id,
  at: t.clock.now(),
  state: 'failed',
  reason: 'held_back',
  consequence: 'next',
})
const delivered = (id: string): News => ({ id, at: t.clock.now(), state: 'delivered' })

/** A campaign to one applicant, with a WhatsApp message that Meta accepted. */
async function acceptedOnWhatsapp(channels: Channel[]) {
  const registration = await aRegistration(t)
  const { accountId } = registration.applicant
  const id = await aCampaign(t, { createdBy: staff.accountId, channels }, [
    { accountId, registrationId: registration.id },
  ])
  const whatsapp = crypto.randomUUID()
  const now = t.clock.now()
  await t.db
    .insertInto('handovers')
    .values({
      ...{ id: whatsapp, campaignId: id, number: 1, channel: 'whatsapp', address: '+6281200000001' },
      ...{ state: 'accepted', handedAt: now, stateAt: now },
    })
    .execute()
  await t.db
    .updateTable('campaignRecipients')
    .set({ state: 'accepted', dueAt: null, handoverId: whatsapp, attempts: 1 })
    .where('campaignId', '=', id)
    .execute()
  return { id, whatsapp }
}

/** Reports the WhatsApp message as failed and sends the mail that follows. */
async function followedByMail(channels: Channel[]) {
  const { id, whatsapp } = await acceptedOnWhatsapp(channels)
  await tell(failed(whatsapp))
  await sendDue(t.services)
  const mail = (await handoversOf(t, id)).find(({ channel }) => channel === 'email')!
  return { id, whatsapp, mail: mail.id }
}

test.each([
  ['before the mail came back', (whatsapp: string, mail: string) => [[delivered(whatsapp)], [failed(mail)]]],
  ['after the mail came back', (whatsapp: string, mail: string) => [[failed(mail)], [delivered(whatsapp)]]],
  ['in one batch with it', (whatsapp: string, mail: string) => [[delivered(whatsapp), failed(mail)]]],
])(
  'a WhatsApp message first reported failed counts as delivered when its delivery is reported %s',
  async (_when, reports) => {
    const { id, whatsapp, mail } = await followedByMail(['whatsapp', 'email', 'inbox'])
    for (const batch of reports(whatsapp, mail)) await tell(...batch)
    await sendDue(t.services)
    expect((await handoversOf(t, id)).map(({ channel }) => channel).toSorted()).toEqual(['email', 'whatsapp'])
    expect(await recipientsOf(t, id)).toMatchObject([{ state: 'delivered', reason: null, channels: ['whatsapp'] }])
  },
)

test('a recipient left to a continuation is not sent to again if the first message arrived', async () => {
  const { id, whatsapp } = await acceptedOnWhatsapp(['whatsapp', 'email'])
  await tell(failed(whatsapp))
  await t.db.updateTable('campaigns').set({ state: 'paused' }).where('id', '=', id).execute()
  const { version } = (await staff.get(`/kirim-informasi/campaigns/${id}`)).json().data
  const child = (await staff.post(`/kirim-informasi/campaigns/${id}/continue`, { version })).json().data
  await tell(delivered(whatsapp))
  const planned = await staff.post(`/kirim-informasi/campaigns/${child.id}/plan`, { version: child.version })
  expect(planned.json().data).toMatchObject({ recipients: 0, reachable: 0 })
})
