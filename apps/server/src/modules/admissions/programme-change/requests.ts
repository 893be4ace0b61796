import type { Language } from '#entities/define/language.ts'
import { lockRegistration } from '#server/modules/admissions/steps/lock-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { billsOf, type ChangeTarget, readRegistration } from './facts.ts'
import { readTargets, requirePossible, weighChange } from './preview-change.ts'

/** Programmes an applicant may ask for, whether the university accepts requests, and the latest request. */
export async function readOwnRequest(services: Services, actor: Actor, id: string, language: Language) {
  const targets = await readTargets(services, actor, id, language)
  const request = await services.db
    .selectFrom('programmeRequests as q')
    .innerJoin('studyProgrammes as p', 'p.id', 'q.programmeId')
    .innerJoin('classProgrammes as c', 'c.id', 'q.classProgrammeId')
    .select(['q.id', 'p.name as programme', 'c.name as classProgramme', 'q.reason', 'q.difference', 'q.status'])
    .select(['q.askedAt', 'q.answer'])
    .where('q.registrationId', '=', id)
    .orderBy('q.askedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ...targets, open: await takesRequests(services.db), request: request ?? null }
}

const takesRequests = async (db: Db) => (await getSettings(db)).programmeChangeRequests

/**
 * Requests another study programme as previewed. 409 while requests are closed, if another request is pending, or if a
 * fact changed since the preview; 422 with every problem of the change.
 */
export const askProgrammeChange = (
  services: Services,
  actor: Actor,
  id: string,
  { reason, seen, ...target }: ChangeTarget & { reason: string; seen: string },
) =>
  services.db.transaction().execute(async (tx) => {
    if (!isApplicant(actor)) throw forbidden('pindah-prodi-view')
    if (!(await takesRequests(tx))) throw conflict('programme_request_closed')
    const now = services.clock.now()
    const registration = await readRegistration(tx, actor, id, now, { lock: true })
    const weighed = await weighChange(tx, actor, now, { registration, bills: await billsOf(tx, id), target })
    if (weighed.request) throw conflict('programme_request_pending')
    if (weighed.seen !== seen) throw conflict('change_stale')
    const { programme, classProgramme } = requirePossible(weighed)
    const { difference } = weighed.money
    const request = await tx
      .insertInto('programmeRequests')
      .values({ registrationId: id, ...target, reason, difference, askedAt: now })
      .onConflict((pending) => pending.column('registrationId').where('status', '=', 'pending').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!request) throw conflict('programme_request_pending')
    const subject = { registration: id }
    await recordAudit(tx, actor, {
      action: 'registration.askProgramme',
      on: subject,
      after: { programme, classProgramme, difference },
      reason,
    })
    return request
  })

/** Withdraws a pending request; applicants only, 409 if it is already answered. */
export const withdrawRequest = (services: Services, actor: Actor, id: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    if (!isApplicant(actor)) throw forbidden('pindah-prodi-view')
    const { registrationId } = await answerRequest(context, id, { status: 'withdrawn' })
    await recordAudit(tx, actor, { action: 'registration.withdrawProgramme', on: { registration: registrationId } })
    return { id }
  })

/** Refuses a request and sends the applicant the reason. */
export const refuseRequest = (services: Services, actor: Actor, id: string, reason: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const request = await answerRequest(context, id, { status: 'refused', answer: reason })
    const subject = { registration: request.registrationId }
    await recordAudit(tx, actor, { action: 'registration.refuseProgramme', on: subject, reason })
    await notify(context, {
      accountId: request.accountId,
      event: 'programme-request-refused',
      params: (language) => ({
        code: request.code,
        programme: (language === 'en' && request.nameEn) || request.name,
        reason,
      }),
      link: '/pindah-prodi',
    })
    return { id }
  })

type Answer = { status: 'withdrawn' | 'refused'; answer?: string }

/**
 * Checks and writes in one statement: of two answers at once, the second gets 409. A programme change, which grants the
 * request, waits for the registration's lock and then finds the request answered.
 */
async function answerRequest({ tx, services: { clock }, actor }: Context, id: string, answer: Answer) {
  const request = await tx
    .selectFrom('programmeRequests as q')
    .innerJoin('registrations as r', 'r.id', 'q.registrationId')
    .innerJoin('studyProgrammes as p', 'p.id', 'q.programmeId')
    .select(['q.registrationId', 'r.accountId', 'r.code', 'p.name', 'p.nameEn'])
    .where('q.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!request) throw notFound('programme_request')
  await lockRegistration(tx, request.registrationId)
  const answered = await tx
    .updateTable('programmeRequests')
    .set({ ...answer, decidedAt: clock.now(), decidedBy: actor.accountId })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  if (!answered) throw conflict('programme_request_decided')
  return request
}
