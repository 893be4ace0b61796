import type { StoredEffect } from '#domain/payments/approvals/effect-fields.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import type { ApprovalHandler, ApprovalHandlers, ApprovalRequest } from './ask-approval.ts'
import { currentEffect, isSameEffect } from './current-effect.ts'
import { getRequest } from './decide-approval.ts'

/** The stored and the current effect of a request, and the look-alikes of an entry by hand or a statement line. */
export async function readApprovalState(
  services: Services,
  handlers: ApprovalHandlers,
  actor: Actor,
  id: string,
  language: Language,
) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const request = await getRequest(tx, actor, id)
    const handler = handlers[request.kind]
    const stored = request.effect as StoredEffect
    const lookAlikes = (await handler.lookAlikes?.(context, request)) ?? []
    if (request.status !== 'pending')
      return { stored, current: null, impossible: null, changed: false, renewable: false, lookAlikes }
    const { current, impossible } = await effectOrRefusal(context, handler, request, language)
    const changed = current !== null && !isSameEffect(stored, current)
    const renewable = changed && actor.permissions.has(handler.permission)
    return { stored, current, impossible, changed, renewable, lookAlikes }
  })
}

async function effectOrRefusal(
  context: Omit<Context, 'actor'>,
  handler: ApprovalHandler,
  request: ApprovalRequest,
  language: Language,
) {
  try {
    const current = await currentEffect(context, handler, request)
    return { current, impossible: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { current: null, impossible: sentences(language)(`errors:${error.code}`, error.details) }
  }
}
