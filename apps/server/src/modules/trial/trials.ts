import { sql } from 'kysely'
import type { z } from 'zod'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { startTrial as startTrialCall, TrialRefusal } from '#domain/trial/endpoints.ts'
import { type TrialStep, trialDays } from '#domain/trial/trial.ts'
import type { Language } from '#entities/define/language.ts'
import { getAccountWithRole, toSignedIn } from '#server/modules/accounts/signed-in.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { stepTakers } from './take-step.ts'
import { callerOf, StepRefused } from './trial-calls.ts'
import { trialChoices } from './trial-choices.ts'
import { closeTrial, type OpenTrial, startTrialSession, trialsOf } from './trial-host.ts'
import { newTrialId } from './trial-id.ts'
import { filePrefix } from './trial-services.ts'
import { readState } from './trial-state.ts'

const dayMs = 86_400_000

const ownTrial = (db: Db, actor: Actor) =>
  db
    .selectFrom('trials')
    .selectAll()
    .where('accountId', '=', actor.accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof ownTrial>>>

async function getOwnTrial(db: Db, actor: Actor): Promise<Row> {
  const row = await ownTrial(db, actor)
  if (!row) throw notFound('trial')
  return row
}

/** Throws 404 `trial` if the trial was removed; waits for a removal in progress. */
async function requireTrial(db: Db, { id }: Row) {
  const row = await db
    .selectFrom('trials')
    .select('id')
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row) throw notFound('trial')
}

/** Runs work on the actor's trial. If it fails because the trial was removed meanwhile, throws 404 `trial`. */
async function onTrial<T>(
  services: Services,
  actor: Actor,
  work: (trial: OpenTrial, row: Row) => Promise<T>,
): Promise<T> {
  const row = await getOwnTrial(services.db, actor)
  try {
    return await work(await trialsOf(services).open(row), row)
  } catch (error) {
    await requireTrial(services.db, row)
    throw error
  }
}

/** Name, address and phone of a test applicant; nobody can own the mail domain. */
const personOf = (number: number) => ({
  name: `Uji Coba ${number}`,
  email: `trial-${number}@trial.invalid`,
  phone: `+62811${String(number).padStart(7, '0')}`,
})

type Place = z.output<(typeof startTrialCall)['body']>

/** Creates a trial's tables and its test applicant, all or nothing. */
export async function startTrial(services: Services, actor: Actor, place: Place) {
  const { db, clock } = services
  // Throws inside a trial, before any table is created.
  trialsOf(services)
  const id = newTrialId()
  const now = clock.now()
  const clockAheadMs = await aheadOf(db, place, now)
  const row = await db.transaction().execute(async (tx) => {
    await refuseSecondStart(tx, actor)
    const started = await tx
      .insertInto('trials')
      .values({ id, accountId: actor.accountId, ...place, clockAheadMs, startedAt: now })
      .onConflict((conflicting) => conflicting.column('accountId').where('endedAt', 'is', null).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!started) throw conflict('trial_running')
    await sql`SELECT build_trial(${id})`.execute(tx)
    await recordAudit(tx, actor, {
      action: 'trial.start',
      on: { trial: id },
      after: { email: personOf(started.number).email, ...place },
    })
    return started
  })
  try {
    await onTrial(services, actor, (trial) => addApplicant(trial, row, actor.language))
  } catch (error) {
    await removeTrial(services, actor)
    throw error
  }
  return showTrial(services, actor)
}

/** Refuses at once while another start by the actor creates its tables, instead of waiting with a connection. */
async function refuseSecondStart(tx: Tx, { accountId }: Actor) {
  const { rows } = await sql<{ free: boolean }>`
    SELECT pg_try_advisory_xact_lock(7262091, hashtext(${accountId})) AS free`.execute(tx)
  if (!theOnly(rows).free) throw conflict('trial_running')
}

/**
 * Milliseconds until the track opens, so that a trial can run before; 0 once it has opened. Throws 422 for a place that
 * nobody offers.
 */
async function aheadOf(db: Db, place: Place, now: Date) {
  const { windows, places } = await trialChoices(db)
  const { waveId, trackId, entryLevelId, classProgrammeId, programmeId } = place
  const window = windows.find(
    (one) => one.waveId === waveId && one.track.id === trackId && one.entryLevel.id === entryLevelId,
  )
  if (!window) throw invalid({ trackId: 'not_offered' })
  const isOffered = places.some(
    (one) =>
      one.waveId === waveId &&
      one.entryLevelId === entryLevelId &&
      one.classProgramme.id === classProgrammeId &&
      one.programme.id === programmeId,
  )
  if (!isOffered) throw invalid({ programmeId: 'not_offered' })
  return Math.max(0, window.opensAt.getTime() - now.getTime())
}

/** Adds an account without a password, so that nobody can sign in to it. */
async function addApplicant({ services: { db, clock } }: OpenTrial, row: Row, language: Language) {
  const now = clock.now()
  const { consentVersion } = await getSettings(db)
  const role = await db.selectFrom('roles').select('id').where('name', '=', applicantRole).executeTakeFirstOrThrow()
  await db
    .insertInto('accounts')
    .values({
      id: row.id,
      ...personOf(row.number),
      emailVerifiedAt: now,
      roleId: role.id,
      language,
      consentVersion,
      consentAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

/**
 * Takes a step of the actor's trial if it is the next one. A refusal is returned, not thrown: it shows where the
 * settings have a gap.
 */
export async function takeStep(services: Services, actor: Actor, step: TrialStep, language: Language) {
  const refusal = await onTrial(services, actor, async (trial, row) => {
    const outcome = await trial.inTurn(() => tryStep(services, actor, { trial, row, step, language }))
    await trial.runJobs()
    return outcome
  })
  return { data: await showTrial(services, actor), meta: { refusal } }
}

type Attempt = { trial: OpenTrial; row: Row; step: TrialStep; language: Language }

/** Takes a step if it is still the next one; returns the refusal, or null if the step took effect. */
async function tryStep(
  services: Services,
  actor: Actor,
  { trial, row, step, language }: Attempt,
): Promise<TrialRefusal | null> {
  const { next, registrationId } = await readState(trial)
  if (next !== step) return null
  const { waveId, trackId, entryLevelId, classProgrammeId, programmeId, number } = row
  try {
    await stepTakers[step]({
      applicant: await callerOf(trial, row.id, language),
      staff: await callerOf(trial, actor.accountId, language),
      registrationId,
      place: { waveId, trackId, entryLevelId, classProgrammeId, programmeId },
      person: { ...personOf(number), number },
      language,
      now: () => trial.services.clock.now(),
      waitUntil: (moment) => waitUntil(services, trial, moment),
    })
  } catch (error) {
    await requireTrial(services.db, row)
    if (!(error instanceof StepRefused)) throw error
    return error.refusal
  }
  return (await readState(trial)).next === step
    ? { message: sentences(language)('trial:stepWithoutEffect'), sentences: [] }
    : null
}

/** Moves a trial's clock forward, and with it the sessions of its applicant. */
async function waitUntil({ db, clock }: Services, trial: OpenTrial, moment: Date) {
  const before = trial.services.clock.now()
  if (moment <= before) return
  const clockAheadMs = moment.getTime() - clock.now().getTime()
  await db.updateTable('trials').set({ clockAheadMs }).where('id', '=', trial.id).execute()
  const movedMs = moment.getTime() - before.getTime()
  await sql`UPDATE sessions SET expires_at = expires_at + make_interval(secs => ${movedMs / 1000})`.execute(
    trial.services.db,
  )
  trial.setAhead(clockAheadMs)
}

/** The actor's trial and its progress; null if there is none. */
export async function findTrial(services: Services, actor: Actor) {
  return (await ownTrial(services.db, actor)) ? showTrial(services, actor) : null
}

const showTrial = (services: Services, actor: Actor) =>
  onTrial(services, actor, (trial, row) => viewOf(services.db, trial, row))

async function viewOf(db: Db, trial: OpenTrial, row: Row) {
  const nameIn = async (
    table: 'waves' | 'tracks' | 'entryLevels' | 'classProgrammes' | 'studyProgrammes',
    id: string,
  ) => (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())?.name ?? '–'
  const [{ steps, registrationCode, studentNumber }, messages, wave, track, entryLevel, classProgramme, programme] =
    await Promise.all([
      readState(trial),
      trial.services.db
        .selectFrom('messages')
        .select(['id', 'channel', 'subject', 'body', 'createdAt as at'])
        .where('accountId', '=', row.id)
        .where('channel', '<>', 'inbox')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(50)
        .execute(),
      nameIn('waves', row.waveId),
      nameIn('tracks', row.trackId),
      nameIn('entryLevels', row.entryLevelId),
      nameIn('classProgrammes', row.classProgrammeId),
      nameIn('studyProgrammes', row.programmeId),
    ])
  return {
    id: row.id,
    ...personOf(row.number),
    startedAt: row.startedAt,
    removedAt: new Date(row.startedAt.getTime() + trialDays * dayMs),
    clock: row.clockAheadMs > 0 ? trial.services.clock.now() : null,
    ...{ wave, track, entryLevel, classProgramme, programme },
    ...{ steps, registrationCode, studentNumber, messages },
  }
}

/** Signs the actor in as the test applicant; ends an earlier such session. */
export const seeTrial = (services: Services, actor: Actor): Promise<SignedIn> =>
  onTrial(services, actor, async (trial, row) => {
    await services.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('trials')
        .set({ sessionId: actor.sessionId })
        .where('id', '=', row.id)
        .where('endedAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw notFound('trial')
      await recordAudit(tx, actor, { action: 'trial.see', on: { trial: row.id } })
    })
    await endSessions(trial)
    const { token, expiresAt } = await startTrialSession(trial, row.id)
    return toSignedIn(await getAccountWithRole(trial.services.db, row.id), token, expiresAt)
  })

const endSessions = ({ id, services: { db } }: OpenTrial) =>
  db.deleteFrom('sessions').where('accountId', '=', id).execute()

/** Ends the session of the test applicant. */
export const leaveTrial = (services: Services, actor: Actor) =>
  services.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('trials')
      .set({ sessionId: null })
      .where('accountId', '=', actor.accountId)
      .where('sessionId', 'is not', null)
      .executeTakeFirst()
    const row = await ownTrial(tx, actor)
    if (numUpdatedRows > 0n && row) await recordAudit(tx, actor, { action: 'trial.leave', on: { trial: row.id } })
  })

/** Removes the actor's trial; does nothing if there is none. */
export async function removeTrial(services: Services, actor: Actor) {
  const row = await ownTrial(services.db, actor)
  if (row) await endTrial(services, actor, row.id)
}

/** Drops a trial's tables and then deletes its files; if that fails, the nightly job repeats it. */
export async function endTrial(services: Services, actor: Actor, id: string) {
  const { db, clock } = services
  await db.transaction().execute(async (tx: Tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('trials')
      .set({ sessionId: null })
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    // Under the row lock: calls that fail on the closed trial wait for it and then report that the trial is gone.
    await closeTrial(services, id)
    await sql`SELECT remove_trial(${id}, ${clock.now()})`.execute(tx)
    await recordAudit(tx, actor, { action: 'trial.remove', on: { trial: id } })
  })
  await removeFiles(services, id)
}

/** Deletes the files of an ended trial. Their keys stay until `forget`, for an upload still running at the end. */
export async function removeFiles({ db, files }: Services, id: string, { forget = false } = {}) {
  const row = await db.selectFrom('trials').select('fileKeys').where('id', '=', id).executeTakeFirst()
  for (const key of row?.fileKeys ?? []) await files.remove(filePrefix(id) + key)
  if (forget) await db.updateTable('trials').set({ fileKeys: [] }).where('id', '=', id).execute()
}
