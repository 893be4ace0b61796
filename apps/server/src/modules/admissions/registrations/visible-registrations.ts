import { type RawBuilder, sql } from 'kysely'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { forbidden } from '#server/platform/errors.ts'

/** Whether the result of the registration `r` is public: from `publish_at` of its wave and track on. */
export const isPublished = (now: Date): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM result_publications rp
  WHERE rp.wave_id = r.wave_id AND rp.track_id = r.track_id AND rp.publish_at <= ${now})`

type Decided = { status: RegistrationStatus; decision: 'accepted' | 'not_accepted' | null; published: boolean }

/** Status for applicants: a decided registration reads `verified` until the result is published. */
export const publicStatus = ({ status, published }: Decided): RegistrationStatus =>
  status === 'decided' && !published ? 'verified' : status

export const publicResult = ({ decision, published }: Decided): ShownResult =>
  decision && published ? decision : 'waiting'

/** Throws 403; for permissions that depend on the request, which a route cannot declare. */
export function requirePermission(actor: Actor, permission: string) {
  if (!actor.permissions.has(permission)) throw forbidden(permission)
}
