import { isWholePlan } from '#domain/fees/instalment-plan.ts'
import { quoteTuition, registrationFeeFor, upfrontOf } from '#server/modules/payments/bills/prices/prices.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getProgramme } from './tuition-grid.ts'

type Question = { programmeId: string; waveId: string; trackId: string; classProgrammeId: string }

/** Quotes an applicant's bills with the functions that issue them. */
export async function quoteAsApplicant(db: Db, actor: Actor, now: Date, question: Question) {
  await getProgramme(db, actor, question.programmeId)
  const { waveId, trackId, classProgrammeId, programmeId } = question
  const [quote, plansLeftOut, entryLevels] = await Promise.all([
    quoteTuition(db, now, question),
    findIncompletePlans(db, waveId),
    db
      .selectFrom('programmeDetails as d')
      .innerJoin('entryLevels as e', 'e.id', 'd.entryLevelId')
      .select(['e.id', 'e.name'])
      .distinct()
      .where('d.programmeId', '=', programmeId)
      .where('d.waveId', '=', waveId)
      .where('d.classProgrammeId', '=', classProgrammeId)
      .where('d.active', '=', true)
      .orderBy('e.name')
      .execute(),
  ])
  const registrationFees = []
  for (const { id, name } of entryLevels)
    registrationFees.push({
      entryLevel: name,
      amount: await registrationFeeFor(db, { waveId, trackId, entryLevelId: id, classProgrammeId }),
    })
  return { ...quote, upfront: upfrontOf(quote.lines), plansLeftOut, registrationFees }
}

async function findIncompletePlans(db: Db, waveId: string) {
  const plans = await db
    .selectFrom('installmentPlans')
    .select(['id', 'name'])
    .where('active', '=', true)
    .where((eb) => eb.or([eb('waveId', 'is', null), eb('waveId', '=', waveId)]))
    .orderBy('code')
    .execute()
  if (plans.length === 0) return []
  const terms = await db
    .selectFrom('installmentTerms')
    .select(['planId', 'shareBps', 'amount'])
    .where('active', '=', true)
    .where(
      'planId',
      'in',
      plans.map(({ id }) => id),
    )
    .execute()
  return plans.filter(({ id }) => !isWholePlan(terms.filter((term) => term.planId === id)))
}
