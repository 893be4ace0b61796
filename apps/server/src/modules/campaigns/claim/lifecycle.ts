import { type RawBuilder, sql } from 'kysely'
import type { Audience, Channel, PauseReason } from '#domain/campaigns/campaigns.ts'
import { audiencesOf } from '#server/modules/campaigns/visible-campaigns.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { hiddenFrom, seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

const entriesOf = (action: string, ids: readonly string[]) => ids.map((id) => ({ action, on: { campaign: id } }))

/** SQL condition on `campaigns`: scheduled, and the start time has passed or is null (at once). */
export const isDueToStart = (now: Date) => sql<boolean>`state = 'scheduled' AND coalesce(starts_at, ${now}) <= ${now}`

/**
 * SQL condition on `campaigns`: running, and no recipient is `planned` or `handed`. Uncertain recipients do not keep a
 * campaign running.
 */
export const isDone = sql<boolean>`state = 'running' AND NOT EXISTS (SELECT FROM campaign_recipients r
  WHERE r.campaign_id = campaigns.id AND r.state IN ('planned', 'handed'))`

/** SQL condition on `campaigns c`: running, with a recipient due on the channel. */
export const hasDueRecipient = (channel: RawBuilder<unknown>, now: Date) => sql<boolean>`c.state = 'running'
  AND EXISTS (SELECT FROM campaign_recipients r WHERE r.campaign_id = c.id AND r.state = 'planned'
    AND r.channels[1] = ${channel} AND r.due_at <= ${now})`

/** Starts scheduled campaigns whose start time has passed or is null (at once). */
export async function startDue({ db, clock }: Services) {
  const now = clock.now()
  const isDue = isDueToStart(now)
  const due = await db.selectFrom('campaigns').select('id').where(isDue).execute()
  if (due.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      UPDATE campaigns SET state = 'running', started_at = coalesce(started_at, ${now}), pause_reason = NULL,
        updated_at = ${now}
      WHERE id IN (SELECT id FROM campaigns WHERE ${isDue} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`.execute(tx)
    await recordAudits(
      tx,
      systemActor,
      entriesOf(
        'campaign.start',
        rows.map(({ id }) => id),
      ),
    )
  })
}

export async function finishDone({ db, clock }: Services) {
  const done = await db.selectFrom('campaigns').select('id').where(isDone).orderBy('id').execute()
  for (const { id } of done)
    await db.transaction().execute(async (tx) => {
      // Checks again under the lock, because another transaction may meanwhile have planned a recipient again.
      await tx.selectFrom('campaigns').select('id').where('id', '=', id).forUpdate().execute()
      const { numUpdatedRows } = await tx
        .updateTable('campaigns')
        .set({ state: 'finished', endedAt: clock.now(), pauseReason: null, updatedAt: clock.now() })
        .where('id', '=', id)
        .where(isDone)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await recordAudit(tx, systemActor, { action: 'campaign.finish', on: { campaign: id } })
    })
}

/** Pauses a running campaign automatically; `words` is the reason in the audit log. */
export async function pauseByProduct(tx: Tx, id: string, reason: PauseReason, words: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('campaigns')
    .set({ state: 'paused', pauseReason: reason, updatedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    await recordAudit(tx, systemActor, {
      action: 'campaign.pause',
      on: { campaign: id },
      after: { pauseReason: reason },
      reason: words,
    })
}

/** Pauses campaigns with due recipients on a channel, unless a message handed over after `downSince` got through. */
export async function pauseWaiting({ db, clock }: Services, channel: Channel, words: string, downSince: Date) {
  const reached = await db
    .selectFrom('handovers')
    .select('id')
    .where('channel', '=', channel)
    .where('handedAt', '>', downSince)
    .where('state', 'in', ['accepted', 'delivered', 'read'])
    .limit(1)
    .executeTakeFirst()
  if (reached) return
  for (const { id } of await campaignsWithDue(db, channel, clock.now()))
    await db.transaction().execute((tx) => pauseByProduct(tx, id, 'channel_down', words, clock.now()))
}

export type DueCampaign = { id: string; audience: Audience; createdBy: string | null }

/** Running campaigns with a recipient due on the channel. */
export async function campaignsWithDue(db: Db, channel: Channel, now: Date): Promise<DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`SELECT id, audience, created_by FROM campaigns c
    WHERE ${hasDueRecipient(sql`${channel}`, now)} ORDER BY id`.execute(db)
  return rows
}

/**
 * Actor for the account that created the campaign. Undefined if there is no such actor now (see `findActorOf`), or if
 * the account may not send to this audience.
 */
export async function findMaker(db: Db, { audience, createdBy }: DueCampaign, now: Date): Promise<Actor | undefined> {
  const actor = createdBy ? await findActorOf(db, createdBy, now) : undefined
  return actor && audiencesOf(actor).includes(audience) ? actor : undefined
}

/**
 * SQL for waiting recipients outside the row scope of the maker's role. Undefined if the role or the audience has no
 * row scope.
 */
const outsiders = ({ id, audience }: DueCampaign, maker: Actor) =>
  audience !== 'registrations' || seesAll(maker)
    ? undefined
    : sql`campaign_recipients x JOIN registrations r ON r.id = x.registration_id
        WHERE x.campaign_id = ${id} AND x.state = 'planned' AND ${hiddenFrom(maker)}`

/** Whether the account that created the campaign may still send to all waiting recipients. */
export async function mayStillSendToAll(db: Db, campaign: DueCampaign, now: Date): Promise<boolean> {
  const maker = await findMaker(db, campaign, now)
  const outside = maker && outsiders(campaign, maker)
  return maker !== undefined && (!outside || (await sql`SELECT FROM ${outside} LIMIT 1`.execute(db)).rows.length === 0)
}

/** Whether the role of the campaign's maker sees any recipient of the campaign. */
export async function seesSomebodyOf(db: Db, { id, audience }: DueCampaign, maker: Actor): Promise<boolean> {
  if (audience !== 'registrations' || seesAll(maker)) return true
  const { rows } = await sql`SELECT FROM campaign_recipients x JOIN registrations r ON r.id = x.registration_id
    WHERE x.campaign_id = ${id} AND ${visibleTo(maker)} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Skips waiting recipients that the campaign's maker does not see. */
export async function skipOutsiders(db: Db, campaign: DueCampaign, maker: Actor, now: Date): Promise<void> {
  const outside = outsiders(campaign, maker)
  if (outside)
    await sql`UPDATE campaign_recipients SET state = 'skipped', reason = 'out_of_scope', due_at = NULL, state_at = ${now}
      WHERE (campaign_id, number) IN (SELECT x.campaign_id, x.number FROM ${outside}
        ORDER BY x.number FOR NO KEY UPDATE OF x SKIP LOCKED)`.execute(db)
}
