import type { ErrorCode } from '#domain/errors.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isLimited, seesAll } from '#server/platform/access/row-scope.ts'
import { AppError } from '#server/platform/errors.ts'

/** Rows of an entity that belong to no study programme or faculty are read by every role and count for all of them. */
const isSharedTo = ({ scope }: Pick<Entity, 'scope'>, actor: Pick<Actor, 'scope'>) => !scope && isLimited(actor)

/** 403 where a role limited to some study programmes writes rows that count for all of them. */
export function refuseSharedToLimited(entity: Pick<Entity, 'scope'>, actor: Pick<Actor, 'scope'>) {
  if (isSharedTo(entity, actor)) throw new AppError(403, 'shared_needs_whole_view')
}

/** The actor; 403 for a role limited to some study programmes, before data that concerns all of them or none. */
export function requireWholeView(actor: Actor, code: ErrorCode): Actor {
  if (!seesAll(actor)) throw new AppError(403, code)
  return actor
}
