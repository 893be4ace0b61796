import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#domain/errors.ts'
import type { Entity } from '#entities/define/entity.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { isLimited, seesAll } from '#server/platform/access/row-scope.ts'
import { AppError } from '#server/platform/errors.ts'

/**
 * Whether the entity has no scope, so all roles read its rows, and the actor's role is limited to some study
 * programmes.
 */
const isSharedTo = ({ scope }: Pick<Entity, 'scope'>, actor: Pick<Actor, 'scope'>) => !scope && isLimited(actor)

/** 403 if a role limited to some study programmes writes rows that apply to all of them. */
export function refuseSharedToLimited(entity: Pick<Entity, 'scope'>, actor: Pick<Actor, 'scope'>) {
  if (isSharedTo(entity, actor)) throw new AppError(403, 'shared_needs_whole_view')
}

/** Returns the actor; 403 for a role limited to some study programmes. For data of the whole university. */
export function requireWholeView(actor: Actor, code: ErrorCode): Actor {
  if (!seesAll(actor)) throw new AppError(403, code)
  return actor
}

/** Actor of a request for data shared by all programmes; 403 for a role limited to some of them. */
export const wholeViewOf = (request: FastifyRequest) => requireWholeView(actorOf(request), 'settings_need_whole_view')

/** Scope of a list of the whole university: 403 for a role limited to some study programmes, every row for others. */
export const ofWholeView =
  (code: ErrorCode) =>
  ({ actor }: { actor: Actor }) => {
    requireWholeView(actor, code)
    return 'everyone' as const
  }
