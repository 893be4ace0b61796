import type { Selectable } from 'kysely'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { type Actor, type Scope, systemActor } from '#server/platform/access/authorization.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Role, scope and address of the importer, stored with the upload for the audit entries its job writes. */
type Sender = { role: Actor['role']; scope: Scope; request: { ip: string; id: string } | null }

export const senderOf = (actor: Actor): Sender => ({
  role: actor.role,
  scope: actor.scope,
  request: actor.request ?? null,
})

/**
 * Rights of the importer, stored with the import, because its job works with the rights held at the time of the
 * request.
 */
export type Acting = Sender & { mayUpdate: boolean }

export const captureRights = (actor: Actor, entity: Entity): Acting => ({
  ...senderOf(actor),
  mayUpdate: actor.permissions.has(permissionOf(entity, 'update')),
})

type Import = Pick<Selectable<Database['imports']>, 'accountId' | 'accountName' | 'language' | 'acting'>

/** Rebuilds the importer as actor, for the audit log. */
export function importerOf({ accountId, accountName, language, acting }: Import): Actor {
  const { role, scope, request } = acting as Sender
  return { ...systemActor, accountId, name: accountName, language, role, scope, ...(request && { request }) }
}
