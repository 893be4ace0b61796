import { sql } from 'kysely'
import type { z } from 'zod'
import {
  type Channel,
  isStepFrom,
  type PauseReason,
  type RecipientState,
  type StaffStep,
  staffSteps,
} from '#domain/campaigns/campaigns.ts'
import type { readCampaign } from '#domain/campaigns/endpoints.ts'
import type { Waiting } from '#domain/campaigns/forecast.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { audienceWords } from './audiences/words.ts'
import { campaignForecast, waitingOf } from './campaign-forecast.ts'
import { findMaker, mayStillSendToAll } from './claim/lifecycle.ts'
import {
  type Continuation,
  continuationsOf,
  findFamily,
  hasSent,
  hasUnreached,
  isContinuable,
  isOpen,
} from './continuations.ts'
import type { FrozenTemplate } from './plan/judge.ts'
import { draftOf } from './plan/plan-of.ts'
import { countRetryable } from './retryable.ts'
import { type CampaignRow, getCampaignRow, hasLostSheet } from './visible-campaigns.ts'

type Answer = z.input<typeof readCampaign.response>['data']
type Count = {
  state: RecipientState
  channel: Channel | null
  reason: string | null
  people: number
}

/** Number of recipients by state, channel and reason. The channel is null for skipped recipients. */
async function countsOf(db: Db, id: string): Promise<Count[]> {
  const { rows } = await sql<Count>`
    SELECT state, CASE WHEN state <> 'skipped' THEN channels[1] END AS channel, reason, count(*)::int AS people
    FROM campaign_recipients WHERE campaign_id = ${id}
    GROUP BY 1, 2, 3 ORDER BY state, channel, people DESC`.execute(db)
  return rows
}

/** `nextAt` is null for a wait up to this long. */
const soonMs = 60_000

/** When the earliest waiting recipient is due. Null if nobody waits, or if the wait is not longer than `soonMs`. */
function nextDueOf(waiting: readonly Waiting[], now: Date): Date | null {
  const dueMs = Math.min(...waiting.map(({ dueAt }) => dueAt.getTime()))
  return Number.isFinite(dueMs) && dueMs > now.getTime() + soonMs ? new Date(dueMs) : null
}

type Standing = {
  row: CampaignRow
  makerMaySend: boolean
  retryable: number
  mayContinue: boolean
  continuations: readonly Continuation[]
}

function stepsOf(actor: Actor, { row, makerMaySend, retryable, mayContinue, continuations }: Standing): Answer['may'] {
  const involved = [row.createdBy, row.releasedBy].includes(actor.accountId)
  const refused: Partial<Record<StaffStep, boolean>> = {
    release: row.reachableCount === 0 || !makerMaySend,
    resume: !makerMaySend,
    approve: involved || !makerMaySend,
    retry: retryable === 0 || !makerMaySend || continuations.some(hasSent),
  }
  const steps: Answer['may'] = staffSteps.filter((step) => isStepFrom(step, row.state) && !refused[step])
  if (row.state === 'draft') steps.push('update')
  if (mayContinue) steps.push('continue')
  return steps
}

const nameOf = (db: Db, id: string | null) =>
  id ? db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirst() : Promise.resolve(undefined)

async function by(db: Db, id: string | null, at: Date | null) {
  const account = at ? await nameOf(db, id) : undefined
  return at && account ? { name: account.name, at } : null
}

/** Whether a continuation may find recipients. False if a campaign in the family is forgotten (see `findFamily`). */
async function mayFollow(db: Db, id: string) {
  const { ids, isForgotten } = await findFamily(db, id)
  return !isForgotten && (await hasUnreached(db, id, ids))
}

export async function campaignAnswer(
  services: Services,
  actor: Actor,
  language: Language,
  id: string,
  db: Db = services.db,
): Promise<Answer> {
  const row = await getCampaignRow(db, actor, id)
  const now = services.clock.now()
  const settings = await getSettings(db)
  const counts = await countsOf(db, id)
  const sheet = row.sheetId
    ? await db
        .selectFrom('campaignSheets')
        .select(['id', 'fileName', 'rowCount as rows'])
        .where('id', '=', row.sheetId)
        .executeTakeFirst()
    : undefined
  const template =
    (row.template as FrozenTemplate | null) ??
    (row.templateId
      ? await db
          .selectFrom('campaignTemplates')
          .select(['name', 'bodyId', 'bodyEn'])
          .where('id', '=', row.templateId)
          .executeTakeFirst()
      : undefined)
  const parent = row.parentId
    ? await db.selectFrom('campaigns').select(['id', 'name']).where('id', '=', row.parentId).executeTakeFirst()
    : undefined
  const continuations = await continuationsOf(db, id)
  const child = continuations.find(isOpen)
  const sum = (...states: RecipientState[]) =>
    counts.reduce((total, { state, people }) => total + (states.includes(state) ? people : 0), 0)
  const retryable = row.state === 'finished' && sum('failed') > 0 ? await countRetryable(db, row) : 0
  const mayContinue = !child && !hasLostSheet(row) && (await isContinuable(db, row)) && (await mayFollow(db, id))
  const startsAt = row.state === 'running' ? null : row.startsAt
  const waiting = await waitingOf(db, row)
  const forecast = await campaignForecast(db, row, { waiting, startsAt, now })
  const nextAt = row.state === 'running' ? nextDueOf(waiting, now) : null
  const quietEnd = row.state === 'running' ? (forecast?.quietUntil ?? null) : null
  return {
    ...draftOf(row),
    id: row.id,
    version: row.version,
    state: row.state,
    template: template ? { name: template.name, bodyId: template.bodyId, bodyEn: template.bodyEn } : null,
    sheet: sheet ?? null,
    audienceWords: await audienceWords(services, actor, language, draftOf(row)),
    startsAt: row.startsAt,
    plannedAt: row.plannedAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    pauseReason: row.pauseReason as PauseReason | null,
    created: await by(db, row.createdBy, row.createdAt),
    released: await by(db, row.releasedBy, row.releasedAt),
    approved: await by(db, row.approvedBy, row.approvedAt),
    recipients: row.recipientCount,
    reachable: row.reachableCount,
    retryable,
    counts,
    forecast,
    // Null if something else delays the next message beyond the quiet hours.
    quietUntil: quietEnd && nextAt && nextAt > quietEnd ? null : quietEnd,
    nextAt,
    parent: parent ?? null,
    child: child ? { id: child.id, name: child.name } : null,
    needsSecondPerson: row.reachableCount > settings.secondPersonAbove,
    may: stepsOf(actor, {
      row,
      makerMaySend: row.state === 'planned' ? await mayStillSendToAll(db, row, now) : !!(await findMaker(db, row, now)),
      retryable,
      mayContinue,
      continuations,
    }),
  }
}
