import { type MailReport, mailReport } from '#domain/campaigns/address-endpoints.ts'
import { emailOf } from '#domain/campaigns/addresses.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { News } from '#server/modules/messaging/handovers/news.ts'
import { type Suppression, suppressAddresses } from '#server/modules/messaging/handovers/suppress-addresses.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import { isMissingMailbox } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/** Id of the handover in a Message-ID; undefined for mails that were not sent here. */
const handoverIn = (messageId: string | undefined) =>
  /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/i.exec(messageId?.trim() ?? '')?.[1]?.toLowerCase()

/** The address in a report, which may be in angle brackets after a name; null if there is none. */
const addressIn = (text = '') => emailOf(/<([^<>]*)>$/.exec(text)?.[1] ?? text)

/**
 * Whether a bounce shows that the address has no mailbox. Policy refusals and full mailboxes do not; a permanent bounce
 * without a status code does.
 */
const isHardBounce = ({ kind, permanent, detail }: MailReport) =>
  kind === 'bounce' && permanent && (!/\b[45]\.\d+\.\d+\b/.test(detail ?? '') || isMissingMailbox(550, detail ?? ''))

const suppressionReason = (report: MailReport) =>
  report.kind === 'complaint' ? ('complained' as const) : isHardBounce(report) ? ('bounced' as const) : undefined

function newsOf(id: string, report: MailReport, at: Date): News | undefined {
  if (report.kind === 'delivered') return { id, state: 'delivered', at }
  // The bounce is temporary: the mail server keeps trying.
  if (report.kind === 'bounce' && !report.permanent) return undefined
  const suppress = suppressionReason(report)
  return {
    id,
    at,
    state: 'failed',
    reason: report.kind === 'complaint' ? 'complained' : 'bounced',
    detail: report.detail ?? null,
    // People who complained are not sent to on another channel.
    consequence: report.kind === 'complaint' ? 'end' : 'next',
    ...(suppress && { suppress }),
  }
}

/**
 * Applies reports from the mail service. Suppresses addresses without a mailbox and addresses whose owner complained.
 * Returns how many reports were readable and how many were not.
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
  await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await advanceHandovers(context, news)
    await suppressAddresses(tx, suppressions, now)
  })
  return { taken: reports.length, unreadable: values.length - reports.length }
}
