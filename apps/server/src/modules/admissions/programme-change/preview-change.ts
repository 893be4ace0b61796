import { createHash } from 'node:crypto'
import type { ProgrammeChangePreview } from '#domain/admissions/programme-change-endpoints.ts'
import { tuitionRowsFor } from '#domain/fees/tuition-rule.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { reachesProgramme } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { compareFee, compareMoney } from './compare-money.ts'
import {
  billsOf,
  type ChangeTarget,
  type ChangingBill,
  type ChangingRegistration,
  type Place,
  pendingRequestOf,
  placesOf,
  readRegistration,
} from './facts.ts'
import { notesOf } from './notes.ts'
import { describeProblems, problemsOfChange, problemsOfRegistration } from './problems.ts'

/** Computes the facts, problems and effects of a change. */
export async function weighChange(
  db: Db,
  actor: Actor,
  now: Date,
  { registration, bills, target }: { registration: ChangingRegistration; bills: ChangingBill[]; target: ChangeTarget },
) {
  const [to] = await placesOf(db, registration, target)
  const [from] = registration.programmeId
    ? await placesOf(db, registration, {
        programmeId: registration.programmeId,
        classProgrammeId: registration.classProgrammeId,
      })
    : []
  const bill = bills.find(({ kind }) => kind === 're_registration')
  const feeBill = bills.find(({ kind }) => kind === 'registration_fee')
  const money = await compareMoney(db, now, registration, target, bill)
  const fee = await compareFee(db, registration, target, feeBill)
  const hasTuition = await tuitionIsSet(db, registration, target)
  const problems = await problemsOfChange(db, actor, { registration, target, place: to, bills, hasTuition })
  const request = await pendingRequestOf(db, registration.id)
  const seen = fingerprint(registration, bills, target, money, { fee, request })
  return { from, to, bill, feeBill, money, fee, problems, request, seen }
}
export type WeighedChange = Awaited<ReturnType<typeof weighChange>>

/** The new programme and class; 422 with every problem of the change. */
export function requirePossible({ problems, to }: WeighedChange): Place {
  if (problems.length > 0 || !to) throw invalid({ programmeId: problems } as FieldErrors)
  return to
}

/** A row with amount 0 counts: it means that the programme is free. */
const tuitionIsSet = async (db: Db, { waveId, trackId }: ChangingRegistration, target: ChangeTarget) =>
  (await db
    .selectFrom('tuitionFees')
    .select('id')
    .where('programmeId', '=', target.programmeId)
    .where('waveId', '=', waveId)
    .where('classProgrammeId', '=', target.classProgrammeId)
    .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', trackId)]))
    .where('active', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Hash of the facts; a change is accepted only if its preview had the same hash. */
function fingerprint(
  { id, version, status, decision, programmeId, classProgrammeId }: ChangingRegistration,
  bills: readonly ChangingBill[],
  target: ChangeTarget,
  { lines, plan, moved, waiting }: WeighedMoney,
  { fee, request }: { fee: object; request: string | null },
) {
  const facts = [
    [id, version, status, decision, programmeId, classProgrammeId],
    bills.map((bill) => [bill.id, bill.version, bill.status, bill.total, bill.paid, bill.installmentPlanId]),
    [target.programmeId, target.classProgrammeId],
    [lines, plan, moved, waiting, fee, request],
  ]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}
type WeighedMoney = Awaited<ReturnType<typeof compareMoney>>

/** Previews a change in the given language; writes nothing. */
export async function previewChange(
  { db, clock }: Services,
  actor: Actor,
  id: string,
  target: ChangeTarget,
  language: Language,
): Promise<ProgrammeChangePreview> {
  const now = clock.now()
  const registration = await readRegistration(db, actor, id, now)
  const bills = await billsOf(db, id)
  const { from, to, money, fee, problems, seen } = await weighChange(db, actor, now, { registration, bills, target })
  // A programme hidden from the actor must not be named, so it is refused without a comparison.
  if (!to || !reachesProgramme(actor, target.programmeId)) throw invalid({ programmeId: 'change_not_offered' })
  const {
    priced: _priced,
    ends: _ends,
    dueAt: _dueAt,
    dates: _dates,
    promise: _promise,
    before,
    after,
    ...comparison
  } = money
  const iso = (side: typeof before) => ({
    ...side,
    dueAt: side.dueAt?.toISOString() ?? null,
    installments: side.installments.map((part) => ({ ...part, dueAt: part.dueAt.toISOString() })),
  })
  return {
    seen,
    registration: briefOf(registration),
    from: placeOf(from, {
      programme: { id: registration.programmeId ?? '', name: registration.programme ?? '' },
      classProgramme: { id: registration.classProgrammeId, name: registration.classProgramme },
    }),
    to: placeOf(to),
    money: { ...comparison, before: iso(before), after: iso(after) },
    fee,
    notes: await notesOf(db, { registration, from, to, target, money, bills, language }),
    problems: describeProblems(problems, language),
  }
}

export const briefOf = ({ id, code, name, programme, status }: ChangingRegistration) => ({
  id,
  code,
  name,
  programme,
  status,
})

function placeOf(place: Place | undefined, fallback?: { programme: Named; classProgramme: Named }) {
  if (!place) {
    if (!fallback?.programme.id) throw notFound('programme')
    return { ...fallback, capacity: null, taken: 0 }
  }
  return {
    programme: { id: place.programmeId, name: place.programme },
    classProgramme: { id: place.classProgrammeId, name: place.classProgramme },
    capacity: place.capacity,
    taken: place.taken,
  }
}
type Named = { id: string; name: string }

/** Programmes and classes the registration could move to and the actor may see, with places left and tuition. */
export async function readTargets({ db, clock }: Services, actor: Actor, id: string, language: Language) {
  const registration = await readRegistration(db, actor, id, clock.now())
  const places = (await placesOf(db, registration)).filter(
    (place) =>
      place.offered &&
      reachesProgramme(actor, place.programmeId) &&
      (place.programmeId !== registration.programmeId || place.classProgrammeId !== registration.classProgrammeId),
  )
  const prices = await db
    .selectFrom('tuitionFees')
    .select(['programmeId', 'classProgrammeId', 'trackId', 'feeComponentId', 'amount'])
    .where('waveId', '=', registration.waveId)
    .where('active', '=', true)
    .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', registration.trackId)]))
    .execute()
  const tuition = ({ programmeId, classProgrammeId }: Place) => {
    const rows = prices.filter((row) => row.programmeId === programmeId && row.classProgrammeId === classProgrammeId)
    if (rows.length === 0) return null
    return tuitionRowsFor(rows, registration.trackId).reduce((total, { amount }) => total + amount, 0)
  }
  const request = await db
    .selectFrom('programmeRequests as q')
    .innerJoin('studyProgrammes as p', 'p.id', 'q.programmeId')
    .innerJoin('classProgrammes as c', 'c.id', 'q.classProgrammeId')
    .select(['q.id', 'q.programmeId', 'p.name as programme', 'q.classProgrammeId', 'c.name as classProgramme'])
    .select(['q.reason', 'q.askedAt'])
    .where('q.registrationId', '=', id)
    .where('q.status', '=', 'pending')
    .executeTakeFirst()
  const { wave, track, classProgramme, programmeId, classProgrammeId } = registration
  return {
    asked: request && reachesProgramme(actor, request.programmeId) ? request : null,
    registration: { ...briefOf(registration), wave, track, classProgramme, programmeId, classProgrammeId },
    problems: describeProblems(problemsOfRegistration(registration), language),
    targets: places.map((place) => ({
      programmeId: place.programmeId,
      programme: place.programme,
      faculty: place.faculty,
      classProgrammeId: place.classProgrammeId,
      classProgramme: place.classProgramme,
      placesLeft: Math.max((place.capacity ?? 0) - place.taken, 0),
      tuition: tuition(place),
    })),
  }
}

/** Whether the registration fee is billed again. */
export const feeIsAnew = ({ fee, feeBill }: WeighedChange) =>
  fee.effect === 'anew' && feeBill !== undefined && isOwed(feeBill.status)
