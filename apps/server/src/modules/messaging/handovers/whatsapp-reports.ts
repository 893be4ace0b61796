import { sql } from 'kysely'
import { type WhatsappProblem, whatsappProblems } from '#domain/whatsapp/problems.ts'
import type { Context } from '#server/platform/use-case.ts'
import { advanceHandovers } from './advance-handovers.ts'
import type { News } from './news.ts'

/** Reason to suppress a phone number on WhatsApp after this problem, if any. */
const suppressionOf = (problem: WhatsappProblem) =>
  problem === 'not_on_whatsapp' ? 'unreachable' : problem === 'opted_out' ? 'blocked' : undefined

/**
 * News of a handover that failed with a WhatsApp problem. If a retry would fail the same way, the recipient takes the
 * next channel; otherwise the message is tried again.
 */
export function newsOfProblem(id: string, problem: WhatsappProblem, detail: string | undefined, at: Date): News {
  const suppress = suppressionOf(problem)
  return {
    id,
    state: 'failed',
    at,
    reason: problem,
    detail: detail ?? null,
    consequence: whatsappProblems[problem] === 'give_up' ? 'next' : 'again',
    ...(suppress && { suppress }),
  }
}

/** A stored WhatsApp report with its handover. */
type HandoverReport = {
  handoverId: string
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  happenedAt: Date
  problem: string | null
  problemDetail: string | null
}

function newsOf({
  handoverId: id,
  providerMessageId,
  status,
  happenedAt: at,
  problem,
  problemDetail,
}: HandoverReport): News {
  if (status === 'sent') return { id, at, state: 'accepted', providerMessageId }
  if (status !== 'failed') return { id, at, state: status, providerMessageId }
  const news = newsOfProblem(id, (problem ?? 'rejected') as WhatsappProblem, problemDetail ?? undefined, at)
  return { ...news, providerMessageId } as News
}

/**
 * Settles handovers by the reports of their connection. Reports are matched by the handover id that Meta returns, else
 * by Meta's own message id.
 */
export async function settleByReports(
  context: Omit<Context, 'actor'>,
  connectionId: string,
  providerMessageIds: readonly string[],
): Promise<void> {
  const { tx } = context
  if (providerMessageIds.length === 0) return
  const { rows } = await sql<HandoverReport>`
    WITH reports AS MATERIALIZED (SELECT * FROM whatsapp_reports
      WHERE provider_message_id = ANY(${providerMessageIds}::text[]))
    SELECT h.id AS handover_id, w.provider_message_id, w.status, w.happened_at, w.problem, w.problem_detail
    FROM reports w JOIN handovers h ON h.id = w.callback_id WHERE h.connection_id = ${connectionId}
    UNION ALL
    SELECT h.id, w.provider_message_id, w.status, w.happened_at, w.problem, w.problem_detail
    FROM reports w JOIN handovers h ON h.provider_message_id = w.provider_message_id
    WHERE w.callback_id IS NULL AND h.connection_id = ${connectionId}`.execute(tx)
  await advanceHandovers(context, rows.map(newsOf))
}

/** Applies reports without our id that were stored before the provider's answer. */
export async function applyStoredReports(context: Omit<Context, 'actor'>, providerMessageIds: readonly string[]) {
  const { tx } = context
  if (providerMessageIds.length === 0) return
  const { rows } = await sql<HandoverReport>`
    SELECT h.id AS handover_id, w.provider_message_id, w.status, w.happened_at, w.problem, w.problem_detail
    FROM whatsapp_reports w JOIN handovers h ON h.provider_message_id = w.provider_message_id
    WHERE w.provider_message_id = ANY(${providerMessageIds}::text[]) AND w.callback_id IS NULL`.execute(tx)
  await advanceHandovers(context, rows.map(newsOf))
}
