import { sql } from 'kysely'
import type { BatchRequest } from '#domain/letters/batch-endpoints.ts'
import type { LetterAudience } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { allowsLetter } from '#server/modules/letters/letter-facts.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'

type Filter = Pick<BatchRequest, 'waveId' | 'programmeId' | 'trackId' | 'stage'>

/** `FROM` and `WHERE` of the registrations `r` with their accounts `u` that the actor sees and that a batch is for. */
export const peopleOf = (actor: Actor, audience: LetterAudience, now: Date, filter: Filter) => sql`
  FROM registrations r JOIN accounts u ON u.id = r.account_id
  WHERE ${allowsLetter(audience, now)} AND ${visibleTo(actor)}
    AND (${filter.waveId}::uuid IS NULL OR r.wave_id = ${filter.waveId})
    AND (${filter.trackId}::uuid IS NULL OR r.track_id = ${filter.trackId})
    AND (${filter.stage}::text IS NULL OR r.status = ${filter.stage})
    AND (${filter.programmeId}::uuid IS NULL OR ${
      audience === 'accepted' ? sql`r.accepted_programme_id` : sql`r.programme_id`
    } = ${filter.programmeId})`

/** The language of a letter by the rule of its batch. */
export const languageOf = (rule: BatchRequest['language'], ofAccount: Language): Language =>
  rule === 'applicant' ? ofAccount : rule
