import type { Actor } from '#server/platform/access/authorization.ts'
import { statusIn } from '#server/platform/access/decision-scope.ts'

/**
 * Whether registration `r` is a candidate of a selection or was one. A paid registration may be refused before it is
 * verified: readers who may not see the refusal must not see the count rise.
 */
export const isCandidate = (actor: Actor, now: Date) =>
  statusIn(actor, now, ['verified', 'decided', 'confirmed', 'enrolled'])
