import { sql } from 'kysely'
import { type Missing, windowState } from '#domain/admissions/submission.ts'
import { calendarOf } from '#domain/calendar.ts'
import { createDocumentSlots } from '#server/modules/admissions/documents/document-slots.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeSql } from '#server/platform/access/decision-scope.ts'
import { isApplicant, reachesProgramme, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { formatNumber, type NumberTokens, nextNumber } from '#server/platform/database/numbers.ts'
import { AppError, conflict, type FieldErrors, forbidden, invalid, notFound } from '#server/platform/errors.ts'
import { requireRegistrationOpen } from '#server/platform/registration-opening.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { recordSteps } from './registration-steps.ts'

type Place = { waveId: string; trackId: string; entryLevelId: string; classProgrammeId: string }

export type NewRegistration = Place & {
  choices?: string[] | undefined
  donationAmount?: number | null | undefined
  referralCode?: string | null | undefined
  accountId?: string | undefined
}

export type RegistrationChanges = {
  version: number
  entryLevelId?: string | undefined
  classProgrammeId?: string | undefined
  choices?: string[] | undefined
  donationAmount?: number | null | undefined
  referralCode?: string | null | undefined
}

/** Converts missing items to the fields of a 422; a field may have several. */
export function toFieldErrors(missing: readonly Missing[]): FieldErrors {
  const fields: Record<string, { code: Missing['code']; params?: Record<string, unknown> }[]> = {}
  for (const { field, code, params } of missing) {
    fields[field] ??= []
    fields[field].push({ code, ...(params && { params }) })
  }
  return fields
}

/**
 * Starts a draft with code and document slots. Throws if the track's window is closed, if the applicant already has a
 * registration for the wave and track, or if an applicant applies while registration is closed as a whole.
 */
export async function startRegistration(
  services: Services,
  actor: Actor,
  newRegistration: NewRegistration,
): Promise<string> {
  return inTransaction(services, actor, (context) => startRegistrationIn(context, newRegistration))
}

export async function startRegistrationIn(
  { tx, actor, now }: Context,
  newRegistration: NewRegistration,
): Promise<string> {
  const accountId = newRegistration.accountId ?? actor.accountId
  if (isApplicant(actor) ? accountId !== actor.accountId : !newRegistration.accountId)
    throw forbidden('pendaftaran-create')
  const applicant = await tx
    .selectFrom('applicants')
    .select('id')
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (isApplicant(actor)) await requireRegistrationOpen(tx)
  if (!applicant) throw new AppError(409, 'profile_first')
  const { track, waveCode } = await requireOpen(tx, newRegistration, now)
  const existing = await tx
    .selectFrom('registrations as r')
    .select(['r.code', programmeSql(actor, now).as('programmeId')])
    .where('r.applicantId', '=', applicant.id)
    .where('r.waveId', '=', newRegistration.waveId)
    .where('r.trackId', '=', newRegistration.trackId)
    .where('r.status', 'not in', ['withdrawn', 'cancelled', 'expired'])
    .executeTakeFirst()
  if (existing && !reachesProgramme(actor, existing.programmeId)) throw conflict('already_exists')
  if (existing)
    throw conflict(isApplicant(actor) ? 'registration_exists' : 'applicant_has_registration', { code: existing.code })

  const choices = newRegistration.choices ?? (await intendedChoices(tx, accountId, newRegistration, track.maxChoices))
  await requireChoices(tx, newRegistration, choices, track.maxChoices)
  requireReachable(actor, choices)
  const { id, code } = await tx
    .insertInto('registrations')
    .values({
      code: await registrationCode(tx, { wave: waveCode, track: track.code }, now),
      applicantId: applicant.id,
      accountId,
      waveId: newRegistration.waveId,
      trackId: newRegistration.trackId,
      entryLevelId: newRegistration.entryLevelId,
      classProgrammeId: newRegistration.classProgrammeId,
      programmeId: choices[0] ?? null,
      donationAmount: track.asksDonation ? (newRegistration.donationAmount ?? null) : null,
      referralCode: newRegistration.referralCode ?? (await referralOf(tx, accountId)),
      createdAt: now,
      updatedAt: now,
    })
    .returning(['id', 'code'])
    .executeTakeFirstOrThrow()
  await recordSteps(tx, actor, id, [{ step: 'started', at: now }])
  await writeChoices(tx, id, choices)
  await createDocumentSlots(tx, id, newRegistration.trackId)
  await tx.deleteFrom('studyIntents').where('accountId', '=', accountId).execute()
  await recordAudit(tx, actor, {
    action: 'registration.create',
    on: { registration: id },
    after: { code, ...newRegistration, choices },
  })
  return id
}

/** Changes a draft; throws 409 `stale_version` if it was changed meanwhile. */
export async function editRegistration(services: Services, actor: Actor, id: string, changes: RegistrationChanges) {
  const now = services.clock.now()
  await services.db.transaction().execute(async (tx) => {
    const current = await tx
      .selectFrom('registrations as r')
      .select([
        'r.id',
        'r.status',
        'r.version',
        'r.waveId',
        'r.trackId',
        'r.entryLevelId',
        'r.classProgrammeId',
        'r.donationAmount',
        'r.referralCode',
      ])
      .where('r.id', '=', id)
      .where(visibleTo(actor))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!current) throw notFound('registration')
    if (current.status !== 'draft') throw conflict('wrong_status', { status: await statusFor(tx, actor, id, now) })
    if (current.version !== changes.version) throw conflict('stale_version')
    const place: Place = {
      waveId: current.waveId,
      trackId: current.trackId,
      entryLevelId: changes.entryLevelId ?? current.entryLevelId,
      classProgrammeId: changes.classProgrammeId ?? current.classProgrammeId,
    }
    const { track } = await requireOpen(tx, place, now)
    const before = await choicesOf(tx, id)
    const choices = changes.choices ?? before
    await requireChoices(tx, place, choices, track.maxChoices)
    requireReachable(actor, choices)
    const values = {
      entryLevelId: place.entryLevelId,
      classProgrammeId: place.classProgrammeId,
      donationAmount:
        changes.donationAmount === undefined || !track.asksDonation ? current.donationAmount : changes.donationAmount,
      referralCode: changes.referralCode === undefined ? current.referralCode : changes.referralCode,
    }
    await tx
      .updateTable('registrations')
      .set((eb) => ({ ...values, programmeId: choices[0] ?? null, version: eb('version', '+', 1), updatedAt: now }))
      .where('id', '=', id)
      .execute()
    if (changes.choices) await writeChoices(tx, id, choices)
    const { entryLevelId, classProgrammeId, donationAmount, referralCode } = current
    await recordAudit(tx, actor, {
      action: 'registration.edit',
      on: { registration: id },
      before: { entryLevelId, classProgrammeId, donationAmount, referralCode, choices: before },
      after: { ...values, choices },
    })
  })
}

/** Throws 422 unless the actor's role includes the first choice: it is the registration's programme. */
function requireReachable(actor: Actor, choices: readonly string[]) {
  if (!reachesProgramme(actor, choices[0] ?? null)) throw invalid({ choices: 'outside_scope' })
}

async function statusFor(tx: Db, actor: Actor, id: string, now: Date) {
  return (await getRegistration(tx, actor, id, now)).status
}

/** Throws 422 unless the window for track, wave and entry level is open and offers the class programme. */
async function requireOpen(tx: Db, place: Place, now: Date) {
  const found = await tx
    .selectFrom('tracks as t')
    .innerJoin('trackDetails as d', 'd.trackId', 't.id')
    .innerJoin('waves as w', 'w.id', 'd.waveId')
    .select(['t.code', 't.maxChoices', 't.asksDonation', 'd.opensAt', 'd.closesAt', 'w.code as waveCode'])
    .where('t.id', '=', place.trackId)
    .where('w.id', '=', place.waveId)
    .where('d.entryLevelId', '=', place.entryLevelId)
    .where('t.active', '=', true)
    .where('w.active', '=', true)
    .where('d.active', '=', true)
    .executeTakeFirst()
  if (!found) throw invalid({ entryLevelId: 'not_offered' })
  const state = windowState(found, now)
  if (state === 'upcoming') throw invalid({ trackId: 'window_not_open' })
  if (state === 'closed') throw invalid({ trackId: 'window_closed' })
  const offered = await tx
    .selectFrom('programmeDetails')
    .select('id')
    .where('waveId', '=', place.waveId)
    .where('entryLevelId', '=', place.entryLevelId)
    .where('classProgrammeId', '=', place.classProgrammeId)
    .where('active', '=', true)
    .where('open', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (!offered) throw invalid({ classProgrammeId: 'not_offered' })
  const { waveCode, ...track } = found
  return { track, waveCode }
}

/** Throws 422 unless the choices are distinct, at most `maximum`, and offered in this wave, class and level. */
async function requireChoices(tx: Db, place: Place, choices: readonly string[], maximum: number) {
  if (choices.length === 0) return
  const missing: Missing[] = []
  if (choices.length > maximum) missing.push({ field: 'choices', code: 'choices_too_many', params: { maximum } })
  if (new Set(choices).size < choices.length) missing.push({ field: 'choices', code: 'choices_not_distinct' })
  const offered = new Set(
    (
      await tx
        .selectFrom('programmeDetails as d')
        .innerJoin('studyProgrammes as p', 'p.id', 'd.programmeId')
        .select('d.programmeId')
        .where('d.waveId', '=', place.waveId)
        .where('d.entryLevelId', '=', place.entryLevelId)
        .where('d.classProgrammeId', '=', place.classProgrammeId)
        .where('d.programmeId', 'in', [...choices])
        .where('d.active', '=', true)
        .where('d.open', '=', true)
        .where('p.active', '=', true)
        .execute()
    ).map((row) => row.programmeId),
  )
  for (const [index, programmeId] of choices.entries())
    if (!offered.has(programmeId)) missing.push({ field: `choices.${index}`, code: 'choice_not_offered' })
  if (missing.length > 0) throw invalid(toFieldErrors(missing))
}

/** Programmes the applicant picked on a public page, as far as this wave, class and level offers them. */
async function intendedChoices(tx: Db, accountId: string, place: Place, maximum: number): Promise<string[]> {
  const { rows } = await sql<{ programmeId: string }>`
    SELECT d.programme_id FROM study_intents i, unnest(i.programme_ids) WITH ORDINALITY AS wish (id, position)
    JOIN programme_details d ON d.programme_id = wish.id AND d.active AND d.open AND d.wave_id = ${place.waveId}
      AND d.entry_level_id = ${place.entryLevelId} AND d.class_programme_id = ${place.classProgrammeId}
    JOIN study_programmes p ON p.id = d.programme_id AND p.active
    WHERE i.account_id = ${accountId} ORDER BY wish.position LIMIT ${maximum}`.execute(tx)
  return rows.map((row) => row.programmeId)
}

const referralOf = async (tx: Db, accountId: string) =>
  (await tx.selectFrom('accounts').select('referralCode').where('id', '=', accountId).executeTakeFirst())
    ?.referralCode ?? null

const choicesOf = async (tx: Db, id: string) =>
  (
    await tx
      .selectFrom('registrationChoices')
      .select('programmeId')
      .where('registrationId', '=', id)
      .orderBy('position')
      .execute()
  ).map((row) => row.programmeId)

async function writeChoices(tx: Tx, registrationId: string, choices: readonly string[]) {
  await tx.deleteFrom('registrationChoices').where('registrationId', '=', registrationId).execute()
  if (choices.length > 0)
    await tx
      .insertInto('registrationChoices')
      .values(choices.map((programmeId, index) => ({ registrationId, programmeId, position: index + 1 })))
      .execute()
}

/**
 * Counter name: the formatted number with `#` for the sequence. Numbers stay unique even if the template leaves out the
 * year.
 */
export const counterScope = (template: string, tokens: NumberTokens) =>
  formatNumber(template.replace(/\{SEQ(:\d+)?\}/g, '#'), tokens, 0)

async function registrationCode(tx: Tx, tokens: NumberTokens, now: Date) {
  const { registrationNumber: template, timeZone } = await getSettings(tx)
  const year = calendarOf(timeZone).yearOf(now)
  const allTokens = { ...tokens, YYYY: year, YY: year.slice(2) }
  return nextNumber(tx, 'registration', counterScope(template, allTokens), template, allTokens)
}
