import type { Updateable } from 'kysely'
import { sql } from 'kysely'
import { audiencePermissions, type CampaignStep, campaignTransitions } from '#domain/campaigns/campaigns.ts'
import { campaignPath } from '#domain/campaigns/screens.ts'
import type { Language } from '#entities/define/language.ts'
import { wholeNumber } from '#locales/format.ts'
import { notifyMany } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { accountsHolding } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import type { Context } from '#server/platform/use-case.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { peopleOf } from './audiences/people-of.ts'
import { campaignAnswer } from './campaign-answer.ts'
import { findMaker, mayStillSendToAll } from './claim/lifecycle.ts'
import { continuationsOf, familyOf, hasSent, hasUnreached, isContinuable, isOpen } from './continuations.ts'
import { isTooLate, startWithinYear } from './latest-start.ts'
import { namesOf } from './plan/judge.ts'
import { draftOf, planOf } from './plan/plan-of.ts'
import { writeRecipients } from './plan/write-recipients.ts'
import { retryable } from './retryable.ts'
import { refuseChange } from './save-campaign.ts'
import {
  type CampaignRow,
  campaignsVisibleTo,
  getCampaignRow,
  hasLostSheet,
  requireAudience,
} from './visible-campaigns.ts'

type Values = Omit<Updateable<Database['campaigns']>, 'state' | 'version' | 'updatedAt' | 'updatedBy'>

/** Takes a step in one UPDATE; `refuseChange` throws if the UPDATE matches no campaign. */
async function takeStep(
  tx: Tx,
  actor: Actor,
  {
    id,
    version,
    step,
    now,
    values = {},
  }: {
    id: string
    version: number
    step: CampaignStep
    now: Date
    values?: Values
  },
): Promise<CampaignRow> {
  const { from, to } = campaignTransitions[step]
  const row = await tx
    .updateTable('campaigns as c')
    .set((eb) => ({
      ...values,
      ...(to && { state: to }),
      version: eb('c.version', '+', 1),
      updatedAt: now,
      updatedBy: actor.accountId,
    }))
    .where('c.id', '=', id)
    .where('c.version', '=', version)
    .where('c.state', 'in', [...from])
    .where(campaignsVisibleTo(actor))
    .returningAll('c')
    .executeTakeFirst()
  return row ?? refuseChange(tx, actor, id, version)
}

type StepQuestion = { id: string; version: number; language: Language }

/** Takes and audits a step. Returns the campaign for its page. */
async function runStep(
  services: Services,
  actor: Actor,
  { id, language }: StepQuestion,
  step: CampaignStep,
  change: (context: Context) => Promise<CampaignRow>,
) {
  const before = await getCampaignRow(services.db, actor, id)
  await inTransaction(services, actor, async (context) => {
    const row = await change(context)
    const counts = { recipients: row.recipientCount, reachable: row.reachableCount }
    await recordAudit(context.tx, actor, {
      action: `campaign.${step}`,
      on: { campaign: id },
      before: { state: before.state },
      after: { state: row.state, ...counts, ...(row.startsAt && { startsAt: row.startsAt }) },
    })
  })
  return campaignAnswer(services, actor, language, id)
}

const dropRecipients = (tx: Tx, id: string) =>
  sql`DELETE FROM campaign_recipients WHERE campaign_id = ${id}`.execute(tx)

/** Freezes the recipients and the template. Replaces the recipients of an earlier planning. */
export async function planCampaign(services: Services, actor: Actor, question: StepQuestion) {
  const { id, version } = question
  const stored = await getCampaignRow(services.db, actor, id)
  requireAudience(actor, stored.audience)
  const draft = draftOf(stored)
  const plan = await planOf(services.db, actor, draft, stored.parentId)
  const people = await peopleOf(services, actor, draft, namesOf(plan))
  return runStep(services, actor, question, 'plan', async ({ tx, now }) => {
    await takeStep(tx, actor, {
      ...{ id, version, step: 'plan', now },
      values: { plannedAt: now, template: plan.template && JSON.stringify(plan.template) },
    })
    await dropRecipients(tx, id)
    const counts = await writeRecipients(tx, id, plan, people, now)
    return tx
      .updateTable('campaigns')
      .set({ recipientCount: counts.recipients, reachableCount: counts.reachable })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Makes a campaign a draft again. Drops its recipients, release and approval. */
export const editCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'edit', async ({ tx, now }) => {
    const row = await takeStep(tx, actor, {
      ...{ id: question.id, version: question.version, step: 'edit', now },
      values: {
        ...{ plannedAt: null, template: null, recipientCount: 0, reachableCount: 0, startsAt: null },
        ...{ releasedAt: null, releasedBy: null, approvedAt: null, approvedBy: null },
      },
    })
    await dropRecipients(tx, question.id)
    return row
  })

type Schedule = StepQuestion & { startsAt: string | null }

function startOf({ startsAt }: Schedule, now: Date): Date | null {
  const start = startWithinYear(startsAt, now)
  if (start && start <= now) throw invalid({ startsAt: 'campaign_start_past' })
  return start
}

/** Throws 409 if planning is more than 366 days ago, 422 if the chosen start is more than 366 days after planning. */
function requireFresh({ plannedAt, startsAt }: CampaignRow, now: Date) {
  if (!plannedAt) return
  if (isTooLate(plannedAt, now)) throw conflict('campaign_recipients_old')
  if (startsAt && isTooLate(plannedAt, startsAt)) throw invalid({ startsAt: 'campaign_recipients_old' })
}

/** Throws 409 if the maker may not send, because the server would pause the campaign instead of sending. */
async function requireMaker(tx: Tx, row: CampaignRow, now: Date): Promise<CampaignRow> {
  if (!(await findMaker(tx, row, now))) throw conflict('campaign_maker_may_not_send')
  return row
}

/** Releases a planned campaign, or asks for approval if it reaches more people than `secondPersonAbove`. */
export const releaseCampaign = (services: Services, actor: Actor, question: Schedule) =>
  runStep(services, actor, question, 'release', async (context) => {
    const { tx, now } = context
    const { id, version } = question
    const startsAt = startOf(question, now)
    const { secondPersonAbove } = await getSettings(tx)
    const row = await takeStep(tx, actor, {
      ...{ id, version, step: 'release', now },
      values: { startsAt, releasedAt: now, releasedBy: actor.accountId },
    })
    requireFresh(row, now)
    if (row.reachableCount === 0) throw conflict('campaign_without_people')
    if (!(await mayStillSendToAll(tx, row, now))) throw conflict('campaign_maker_may_not_send')
    if (row.reachableCount <= secondPersonAbove) return row
    const waiting = await tx
      .updateTable('campaigns')
      .set({ state: 'to_approve' })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await tellApprovers(context, waiting)
    return waiting
  })

/** Notifies the accounts that may approve. The maker and the account that released the campaign may not. */
async function tellApprovers(context: Omit<Context, 'actor'>, { id, name, audience, ...row }: CampaignRow) {
  const { tx } = context
  const approvers = await accountsHolding(tx, audiencePermissions[audience], { wholeView: true })
    .select('a.id')
    .where(
      'a.id',
      'not in',
      [row.createdBy, row.releasedBy].filter((one) => one !== null),
    )
    .orderBy('a.id')
    .execute()
  const notice = {
    params: { title: name, count: wholeNumber(row.reachableCount) },
    link: campaignPath({ id, audience }),
  }
  await notifyMany(
    context,
    'campaign-to-approve',
    approvers.map((approver) => ({ accountId: approver.id, ...notice })),
  )
}

/** Approves the frozen recipients and texts; 403 for accounts that made or released the campaign. */
export const approveCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'approve', async ({ tx, now }) => {
    const { id, version } = question
    const row = await getCampaignRow(tx, actor, id)
    if ([row.createdBy, row.releasedBy].includes(actor.accountId)) throw new AppError(403, 'campaign_approver_involved')
    const approved = await takeStep(tx, actor, {
      ...{ id, version, step: 'approve', now },
      values: { approvedAt: now, approvedBy: actor.accountId },
    })
    requireFresh(approved, now)
    return requireMaker(tx, approved, now)
  })

export const rescheduleCampaign = (services: Services, actor: Actor, question: Schedule) =>
  runStep(services, actor, question, 'reschedule', async ({ tx, now }) => {
    const row = await takeStep(tx, actor, {
      ...{ id: question.id, version: question.version, step: 'reschedule', now },
      values: { startsAt: startOf(question, now) },
    })
    requireFresh(row, now)
    return row
  })

export const pauseCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'pause', ({ tx, now }) =>
    takeStep(tx, actor, {
      ...{ id: question.id, version: question.version, step: 'pause', now },
      values: { pauseReason: null },
    }),
  )

export const resumeCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'resume', async ({ tx, now }) => {
    const row = await takeStep(tx, actor, {
      ...{ id: question.id, version: question.version, step: 'resume', now },
      values: { pauseReason: null },
    })
    requireFresh(row, now)
    return requireMaker(tx, row, now)
  })

const skipPlanned = (tx: Tx, id: string, reason: 'cancelled' | 'continued', now: Date) =>
  sql`UPDATE campaign_recipients SET state = 'skipped', reason = ${reason}, due_at = NULL, state_at = ${now}
    WHERE campaign_id = ${id} AND state = 'planned'`.execute(tx)

/** Ends a campaign and skips waiting recipients. Messages already handed over may still arrive. */
export const cancelCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'cancel', async ({ tx, now }) => {
    const row = await takeStep(tx, actor, {
      ...{ id: question.id, version: question.version, step: 'cancel', now },
      values: { endedAt: now, pauseReason: null },
    })
    await skipPlanned(tx, question.id, 'cancelled', now)
    return row
  })

/**
 * Sends a finished campaign again to the failed recipients that `retryable` selects. The campaign runs at once. 409
 * `campaign_nothing_failed` if `retryable` selects nobody.
 */
export const retryCampaign = (services: Services, actor: Actor, question: StepQuestion) =>
  runStep(services, actor, question, 'retry', async ({ tx, now }) => {
    const { id, version } = question
    const before = await getCampaignRow(tx, actor, id)
    if (before.forgottenAt) throw conflict('campaign_forgotten')
    const row = await takeStep(tx, actor, { ...{ id, version, step: 'retry', now }, values: { endedAt: null } })
    if ((await continuationsOf(tx, id)).some(hasSent)) throw conflict('campaign_continued')
    requireFresh(row, now)
    await requireMaker(tx, row, now)
    const { numAffectedRows } = await sql`
      UPDATE campaign_recipients r SET state = 'planned', reason = NULL, detail = NULL, channels = f.channels,
        due_at = ${now}, attempts = 0, state_at = ${now}
      FROM (${retryable(row)}) f WHERE r.campaign_id = ${id} AND r.number = f.number`.execute(tx)
    if (!numAffectedRows) throw conflict('campaign_nothing_failed')
    return row
  })

/**
 * Creates a draft that continues the campaign, for recipients whom no campaign of its family (see `findFamily`)
 * reached. Cancels the campaign if it is paused.
 */
export async function continueCampaign(services: Services, actor: Actor, { id, version, language }: StepQuestion) {
  const before = await getCampaignRow(services.db, actor, id)
  requireAudience(actor, before.audience)
  const childId = await services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const isPaused = before.state === 'paused'
    if (!(await isContinuable(tx, before))) return refuseChange(tx, actor, id, version)
    const row = await tx
      .updateTable('campaigns as c')
      .set((eb) => ({
        ...(isPaused && { state: 'cancelled' as const, endedAt: now, pauseReason: null }),
        version: eb('c.version', '+', 1),
        updatedAt: now,
        updatedBy: actor.accountId,
      }))
      .where('c.id', '=', id)
      .where('c.version', '=', version)
      .where('c.state', '=', before.state)
      .where(campaignsVisibleTo(actor))
      .returningAll('c')
      .executeTakeFirst()
    if (!row) return refuseChange(tx, actor, id, version)
    if (hasLostSheet(row)) throw conflict('campaign_sheet_gone')
    if ((await continuationsOf(tx, id)).some(isOpen)) throw conflict('campaign_continued')
    const family = await familyOf(tx, id)
    await skipPlanned(tx, id, 'continued', now)
    if (!(await hasUnreached(tx, id, family))) throw conflict('campaign_nothing_left')
    const { name, filters, channels, ...draft } = draftOf(row)
    const child = await tx
      .insertInto('campaigns')
      .values({
        ...draft,
        channels: [...channels],
        name: sentences(language)('campaigns:continuation', { name }).slice(0, 120).trim(),
        filters: JSON.stringify(filters),
        parentId: id,
        ...{ createdAt: now, createdBy: actor.accountId, updatedAt: now, updatedBy: actor.accountId },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'campaign.continue',
      on: { campaign: id },
      before: { state: before.state },
      after: { state: row.state, continuedBy: child.id },
    })
    return child.id
  })
  return campaignAnswer(services, actor, language, childId)
}
