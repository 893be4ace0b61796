import { sql } from 'kysely'
import { type MailTransport, outboxTransport } from '#server/platform/mail.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { smtpFailure } from './sending.ts'

type SentMail = { to: string; subject: string; text: string; fileName: string | null; file: string | null }

/** A mail server that stores accepted mails; while `refusal` is set, it refuses every mail with that status. */
export function mailServer() {
  const sent: SentMail[] = []
  const server = { sent, refusal: null as number | null }
  const transport: MailTransport = {
    ...outboxTransport,
    kind: 'smtp',
    async send({ to, subject, text, file }) {
      const { refusal } = server
      if (refusal) throw smtpFailure(refusal, `${refusal} mailbox unavailable`)
      sent.push({ to, subject, text, fileName: file?.name ?? null, file: file ? file.bytes.toString('utf8') : null })
    },
  }
  return Object.assign(server, { transport })
}

const mailInput = {
  report: 'pendaftaran-prodi',
  question: 'compare=no',
  columns: [] as string[],
  name: 'Laporan pagi',
  rhythm: 'daily',
  weekday: null as number | null,
  monthDay: null as number | null,
  hour: 7,
  format: 'csv',
  skipsEmpty: false,
  lastDays: null as number | null,
}
type MailInput = Partial<typeof mailInput>

export const reportMailInput = (recipients: readonly TestActor[], changes: MailInput = {}) => ({
  ...mailInput,
  ...changes,
  recipientIds: recipients.map(({ accountId }) => accountId),
})

/** The owner's scheduled mail, created through the API. */
export async function aReportMail(owner: TestActor, recipients: readonly TestActor[], changes: MailInput = {}) {
  const answer = await owner.post('/report-mails', reportMailInput(recipients, changes))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data as { id: string; version: number; nextDueAt: string }
}

type Run = { recipient: string; state: string; reason: string | null; rows: number | null; byHand: boolean }

export const runsOf = async (owner: TestActor, mailId: string): Promise<Run[]> =>
  (await owner.get(`/report-mails/${mailId}/runs?per_page=100`)).json().data

/** Copies a registration until there are that many more. */
export async function copyRegistration(t: TestApp, id: string, count: number) {
  await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, submitted_at, paid_at, created_at)
    SELECT 'SALIN-' || n, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id, programme_id,
      'cancelled', submitted_at, paid_at, created_at
    FROM registrations, generate_series(1, ${count}) n WHERE id = ${id}`.execute(t.owner)
  await sql`SELECT fill_registration_steps()`.execute(t.owner)
}
