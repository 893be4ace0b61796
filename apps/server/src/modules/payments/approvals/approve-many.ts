import { kindsWithoutSum } from '#domain/payments/approvals/approvals.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { invalid } from '#server/platform/errors.ts'
import { asAppError } from '#server/platform/http/failures.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import type { ApprovalHandlers } from './ask-approval.ts'
import { decideApproval } from './decide-approval.ts'

type Wish = { ids: readonly string[]; reason?: string | undefined }

/**
 * Approves requests of one kind, oldest first, each in its own transaction. Requests about settings are excluded,
 * because each connection or bank account has to be checked by itself.
 */
export async function approveMany(
  services: Services,
  handlers: ApprovalHandlers,
  actor: Actor,
  { ids, reason }: Wish,
  language: Language,
) {
  const requests = await services.db
    .selectFrom('approvalRequests as q')
    .leftJoin('registrations as r', 'r.id', 'q.registrationId')
    .select(['q.id', 'q.kind'])
    .where('q.id', 'in', ids)
    .where(visibleTo(actor))
    .orderBy('q.requestedAt')
    .orderBy('q.id')
    .execute()
  const kinds = new Set(requests.map(({ kind }) => kind))
  if (kinds.size > 1 || [...kinds].some((kind) => kindsWithoutSum.includes(kind)))
    throw invalid({ ids: 'one_kind_of_request' })
  const t = sentences(language)
  const seen = new Set(requests.map(({ id }) => id))
  const done: string[] = []
  const refused = [...new Set(ids)].filter((id) => !seen.has(id)).map((id) => ({ id, reason: t('errors:not_found') }))
  for (const { id } of requests)
    try {
      await decideApproval(services, handlers, actor, id, { approve: true, reason })
      done.push(id)
    } catch (error) {
      // A refusal by the database concerns only this request; earlier ones are approved and must be reported.
      const refusal = asAppError(error)
      if (refusal.status >= 500) throw error
      refused.push({ id, reason: t(`errors:${refusal.code}`, refusal.details) })
    }
  return { done, refused }
}
