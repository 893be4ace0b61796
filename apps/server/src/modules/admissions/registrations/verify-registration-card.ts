import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { mustGet } from '#domain/must.ts'
import type { PublicStage, VerifiedDocument } from '#domain/verification/endpoints.ts'
import { billSummary } from '#server/modules/payments/bills/bill-summary.ts'
import { isIntakePublished } from '#server/platform/access/decision-scope.ts'
import { initialsOf } from '#server/platform/access/masks.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { cardOf, endedStatuses } from './load-registrations.ts'
import { codeOfCard } from './registration-card.ts'

type RegistrationCard = Extract<VerifiedDocument, { kind: 'registration-card' }>

type Progress = { status: RegistrationStatus; verifiedAt: Date | null; published: boolean }

/**
 * Must not depend on the decision: once results are published, everyone who paid in the wave and track is `announced`.
 */
function stageOf({ status, verifiedAt, published }: Progress): PublicStage {
  if (endedStatuses.includes(status)) return 'ended'
  if (status === 'draft' || status === 'submitted') return 'payment'
  if (published) return 'announced'
  return verifiedAt ? 'selection' : 'documents'
}

/**
 * State and stage of a registration card; undefined for a code that is not genuine. Every ended registration is `void`:
 * a word of its own for expired offers would reveal the acceptance.
 */
export async function verifyRegistrationCard(services: Services, signedCode: string) {
  const code = codeOfCard(services, signedCode)
  if (code === undefined) return undefined
  const registration = await services.db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .leftJoin('registrationChoices as c', (join) =>
      join.onRef('c.registrationId', '=', 'r.id').on('c.position', '=', 1),
    )
    .leftJoin('studyProgrammes as p', 'p.id', 'c.programmeId')
    .select(['r.id', 'r.code', 'r.status', 'r.paidAt', 'a.fullName', 'w.name as wave', 'w.academicYear'])
    .select(['p.name as programme', 'r.verifiedAt', isIntakePublished(services.clock.now()).as('published')])
    .where('r.code', '=', code)
    .executeTakeFirst()
  if (!registration) return undefined
  const [bills, settings] = await Promise.all([billSummary(services.db, [registration.id]), getSettings(services.db)])
  const { cardReady } = cardOf(registration, mustGet(bills, registration.id), settings.cardShare)
  return {
    kind: 'registration-card',
    state: cardReady ? 'valid' : 'void',
    initials: initialsOf(registration.fullName),
    programme: registration.programme,
    code: registration.code,
    wave: `${registration.wave} ${registration.academicYear}`,
    stage: settings.publicStage ? stageOf(registration) : null,
  } satisfies RegistrationCard
}
