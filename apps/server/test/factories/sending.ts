import { sql } from 'kysely'
import type { Audience, CampaignState, Channel, Purpose, RecipientState } from '#domain/campaigns/campaigns.ts'
import { endedCondition } from '#server/modules/campaigns/gone-people.ts'
import type { FrozenTemplate } from '#server/modules/campaigns/plan/judge.ts'
import { type Mail, type MailTransport, mailFailureOf } from '#server/platform/mail.ts'
import type { TestApp } from '#server-test/test-app.ts'

type CampaignValues = {
  state?: CampaignState
  audience?: Audience
  purpose?: Purpose
  channels?: Channel[]
  template?: FrozenTemplate | null
  ignoresQuietHours?: boolean
  startsAt?: Date | null
  /** Creator of the campaign; without a creator who holds the permission, sending pauses it. */
  createdBy?: string
}

export type RecipientValues = {
  phone?: string | null
  email?: string | null
  accountId?: string | null
  registrationId?: string | null
  /** Id of the lead, visit, school or affiliate. */
  sourceId?: string | null
  channels?: Channel[]
  timeZone?: string
  values?: Record<string, unknown>
  dueAt?: Date
}

/** Template as planning stores it with the campaign. */
export const aTemplate: FrozenTemplate = {
  name: 'Batas waktu',
  providerTemplate: 'batas_waktu',
  bodyId: 'Halo {{name}}, batas Anda {{due}}. Salam, {{name}}',
  bodyEn: 'Hello {{name}}, your deadline is {{due}}.',
}

/** A campaign with frozen recipients, as planning and release leave it; every recipient is planned. */
export async function aCampaign(t: TestApp, values: CampaignValues, recipients: readonly RecipientValues[]) {
  const now = t.clock.now()
  const { template = null, state = 'running', channels = ['email'], ...rest } = values
  const hasStarted = ['running', 'paused', 'finished'].includes(state)
  const { id } = await t.db
    .insertInto('campaigns')
    .values({
      name: `Kampanye ${crypto.randomUUID().slice(0, 8)}`,
      audience: 'registrations',
      purpose: 'service',
      ...rest,
      channels,
      state,
      template: template && JSON.stringify(template),
      subjectId: 'Pengumuman untuk {{name}}',
      subjectEn: 'News for {{name}}',
      bodyId: 'Yth. {{name}}, pesan dari {{university}}.',
      bodyEn: 'Dear {{name}}, a message of {{university}}.',
      plannedAt: now,
      startedAt: hasStarted ? now : null,
      endedAt: state === 'finished' || state === 'cancelled' ? now : null,
      recipientCount: recipients.length,
      reachableCount: recipients.length,
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = recipients.map((recipient, index) => ({
    number: index + 1,
    account_id: recipient.accountId ?? null,
    registration_id: recipient.registrationId ?? null,
    source_id: recipient.sourceId ?? null,
    name: `Penerima ${index + 1}`,
    time_zone: recipient.timeZone ?? 'Asia/Jakarta',
    phone: recipient.phone === undefined ? `+62812000${String(index + 1).padStart(5, '0')}` : recipient.phone,
    email: recipient.email === undefined ? `penerima-${index + 1}@example.com` : recipient.email,
    values: recipient.values ?? { due: '27 November' },
    channels: recipient.channels ?? channels,
    due_at: recipient.dueAt ?? now,
  }))
  await sql`INSERT INTO campaign_recipients (campaign_id, number, account_id, registration_id, source_id, name, language, time_zone, phone, email,
      values, channels, had_ended, state, due_at, state_at)
    SELECT ${id}, r.number, r.account_id, r.registration_id, r.source_id, r.name, 'id', r.time_zone, r.phone, r.email, r.values,
      ARRAY(SELECT json_array_elements_text(r.channels)), ${endedCondition}, 'planned', r.due_at, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (number integer, account_id uuid, registration_id uuid, source_id uuid, name text,
      time_zone text, phone text, email text, values jsonb, channels json, due_at timestamptz)`.execute(t.db)
  return id
}

/** Recipients of a campaign in order. */
export const recipientsOf = (t: TestApp, campaignId: string) =>
  t.db.selectFrom('campaignRecipients').selectAll().where('campaignId', '=', campaignId).orderBy('number').execute()

export const handoversOf = (t: TestApp, campaignId: string) =>
  t.db
    .selectFrom('handovers')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .orderBy('number')
    .orderBy('handedAt')
    .execute()

export const campaignRow = (t: TestApp, id: string) =>
  t.db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** States of a campaign's recipients with their counts. */
export async function statesOf(t: TestApp, campaignId: string) {
  const counts: Partial<Record<RecipientState, number>> = {}
  for (const { state } of await recipientsOf(t, campaignId)) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** Sets sending limits, like the general settings. */
export async function setLimits(t: TestApp, limits: Record<string, number | boolean>) {
  for (const [key, value] of Object.entries(limits))
    await t.db
      .insertInto('settings')
      .values({ key, value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
}

/** A mail transport that stores its mails; `answer` may refuse a mail, or wait. */
export function recordedMails(answer: (mail: Mail) => Promise<unknown> | unknown = () => undefined) {
  const mails: Mail[] = []
  const transport: MailTransport = {
    kind: 'smtp',
    async send(mail) {
      await answer(mail)
      mails.push(mail)
    },
    close: async () => {},
  }
  return { mails, transport }
}

/** A mail server's failure, as nodemailer describes it. */
export function smtpFailure(responseCode: number, response: string, command = 'RCPT TO') {
  const failure = Object.assign(new Error(response), { responseCode, response, command, hasBegun: command === 'DATA' })
  return Object.assign(failure, { kind: mailFailureOf(failure) })
}
