import { type MailReport, mailReport } from '#domain/campaigns/address-endpoints.ts'
import { emailOf } from '#domain/campaigns/addresses.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { News } from '#server/modules/messaging/handovers/news.ts'
import { type Suppression, suppressAddresses } from '#server/modules/messaging/handovers/suppress-addresses.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import { isMissingMailbox } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'

/** Id of the handover in a Message-ID; undefined for mails of others. */
const handoverIn = (messageId: string | undefined) =>
  /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(messageId?.trim() ?? '')?.[1]?.toLowerCase()

/** The address of a report, which may stand in angle brackets after a name; null where there is none. */
const addressIn = (text = '') => emailOf(/<([^<>]*)>$/.exec(text)?.[1] ?? text)

/** Whether a mail that came back says that its address reaches nobody; policies and full mailboxes do not. */
const isHardBounce = ({ kind, permanent, detail }: MailReport) =>
  kind === 'bounce' && permanent && (!/\b[45]\.\d+\.\d+\b/.test(detail ?? '') || isMissingMailbox(550, detail ?? ''))

const suppressionReason = (report: MailReport) =>
  report.kind === 'complaint' ? ('complained' as const) : isHardBounce(report) ? ('bounced' as const) : undefined

function newsOf(id: string, report: MailReport, at: Date): News | undefined {
  if (report.kind === 'delivered') return { id, state: 'delivered', at }
  // The mail server goes on trying.
  if (report.kind === 'bounce' && !report.permanent) return undefined
  const suppress = suppressionReason(report)
  return {
    id,
    at,
    state: 'failed',
    reason: report.kind === 'complaint' ? 'complained' : 'bounced',
    detail: report.detail ?? null,
    // Whoever complained is not written to on another channel.
    consequence: report.kind === 'complaint' ? 'end' : 'next',
    ...(suppress && { suppress }),
  }
}

/**
 * Takes reports of the mail service: recipients advance or fail, addresses that do not exist and people who complained
 * are not written to any more. Unreadable reports are counted and left out.
 */
export async function takeMailReports(services: Services, values: readonly unknown[]) {
  const now = services.clock.now()
  const reports = values.flatMap((value) => {
    const report = issuesOfText(value).length > 0 ? undefined : mailReport.safeParse(value).data
    if (!report) return []
    const [id, address] = [handoverIn(report.messageId), addressIn(report.address)]
    return report.address && !address && !id ? [] : [{ report, id, address }]
  })
  const news: News[] = []
  const suppressions: Suppression[] = []
  for (const { report, id, address } of reports) {
    const one = id && newsOf(id, report, now)
    if (one) news.push(one)
    const reason = suppressionReason(report)
    if (reason && address) suppressions.push({ channel: 'email', address, reason, detail: report.detail ?? null })
  }
  await services.db.transaction().execute(async (tx) => {
    await advanceHandovers(tx, services, news)
    await suppressAddresses(tx, suppressions, now)
  })
  return { taken: reports.length, unreadable: values.length - reports.length }
}
