import { sql } from 'kysely'
import type { BatchRequest } from '#domain/letters/batch-endpoints.ts'
import type { LetterAudience } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { allowsLetter } from '#server/modules/letters/letter-facts.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { hideUnpublished, programmeIs, statusIn } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'

type Filter = Pick<BatchRequest, 'waveId' | 'programmeId' | 'trackId' | 'stage'>

/**
 * `FROM` and `WHERE` of the registrations `r` with their accounts `u` that the actor sees and that a batch is for. Stage and
 * study programme are those that everyone sees: applicants find their letters among their own.
 */
export const peopleOf = (actor: Actor, audience: LetterAudience, now: Date, filter: Filter) => sql`
  FROM registrations r JOIN accounts u ON u.id = r.account_id
  WHERE ${allowsLetter(audience, now)} AND ${visibleTo(actor)}
    AND (${filter.waveId}::uuid IS NULL OR r.wave_id = ${filter.waveId})
    AND (${filter.trackId}::uuid IS NULL OR r.track_id = ${filter.trackId})
    AND ${filter.stage ? statusIn(hideUnpublished(actor), now, [filter.stage]) : sql`true`}
    AND ${programmeOf(actor, audience, now, filter.programmeId)}`

/** Letters of acceptance filter by the accepted study programme, others by the programme that everyone sees. */
function programmeOf(actor: Actor, audience: LetterAudience, now: Date, programmeId: string | null) {
  if (!programmeId) return sql`true`
  return audience === 'accepted'
    ? sql`r.accepted_programme_id = ${programmeId}`
    : programmeIs(hideUnpublished(actor), now, programmeId)
}

/** Language of a person's letter by the batch's rule. */
export const languageOf = (rule: BatchRequest['language'], ofAccount: Language): Language =>
  rule === 'applicant' ? ofAccount : rule
