import type { Selectable } from 'kysely'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { type Actor, type Scope, systemActor } from '#server/platform/access/authorization.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Rights of the importer, stored with the import: its job works with the rights held at the time of the request. */
export type Acting = {
  role: Actor['role']
  scope: Scope
  mayUpdate: boolean
  request: { ip: string; id: string } | null
}

export const captureRights = (actor: Actor, entity: Entity): Acting => ({
  role: actor.role,
  scope: actor.scope,
  mayUpdate: actor.permissions.has(permissionOf(entity, 'update')),
  request: actor.request ?? null,
})

type Import = Pick<Selectable<Database['imports']>, 'accountId' | 'accountName' | 'language' | 'acting'>

/** Rebuilds the importer as actor, for the audit log. */
export function importerOf({ accountId, accountName, language, acting }: Import): Actor {
  const { role, scope, request } = acting as Acting
  return { ...systemActor, accountId, name: accountName, language, role, scope, ...(request && { request }) }
}
