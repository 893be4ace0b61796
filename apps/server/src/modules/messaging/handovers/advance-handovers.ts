import { sql } from 'kysely'
import { isProgress } from '#domain/campaigns/campaigns.ts'
import { mustGet } from '#domain/must.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import { advanceMessages, lockMessages } from './advance-messages.ts'
import { advanceRecipients, lockRecipients } from './advance-recipients.ts'
import type { ChangedHandover, HandoverState, LockedHandover, News, Outcome } from './news.ts'
import { type Suppression, suppressAddresses } from './suppress-addresses.ts'

/**
 * The only place where results change handovers, with their recipients and messages. Answers, reports, bounces and
 * expired leases arrive in any order. Locks campaigns, then recipients with handovers by number, then messages with
 * handovers by id; every other step locks in this order too.
 */
export async function advanceHandovers(context: Omit<Context, 'actor'>, news: readonly News[]): Promise<void> {
  const { tx, now } = context
  if (news.length === 0) return
  const newsById = Map.groupBy(news, ({ id }) => id)
  const ids = [...newsById.keys()]
  // A campaign must not finish while one of its recipients is planned again.
  const mayPlan = news.some(({ state }) => state === 'failed' || state === 'returned')
  const recipients = await lockRecipients(tx, ids, mayPlan)
  const messages = recipients.length < ids.length ? await lockMessages(tx, ids) : []
  const outcomeOf = (row: LockedHandover) => resultOf(row, mustGet(newsById, row.id))

  const changes = [
    ...(await advanceRecipients(tx, recipients, outcomeOf, now)),
    ...(await advanceMessages(context, messages, (row) => ({ ...outcomeOf(row), all: mustGet(newsById, row.id) }))),
  ]
  await writeHandovers(tx, changes)
  const rows = [...recipients, ...messages]
  await suppressAddresses(
    tx,
    rows.flatMap((row) => mustGet(newsById, row.id).flatMap((one) => suppressionOf(row, one))),
    now,
  )
}

function resultOf(row: LockedHandover, news: readonly News[]): Outcome {
  let { state } = row
  let latest: News | undefined
  let providerMessageId: string | null = null
  for (const one of news.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if ('providerMessageId' in one) providerMessageId ??= one.providerMessageId ?? null
    if (one.state === 'returned') {
      if (row.state === 'handed') latest = one
    } else if (isAdvance(state, one)) {
      state = one.state
      latest = one
    }
  }
  return { state, latest, providerMessageId }
}

/** A handover due for another try may turn out to have arrived; it fails only with the consequence `end`. */
function isAdvance(state: HandoverState, news: Exclude<News, { state: 'returned' }>) {
  if (state === 'due') return news.state !== 'failed' || news.consequence === 'end'
  return isProgress(state, news.state)
}

function suppressionOf({ channel, address }: LockedHandover, news: News): Suppression[] {
  if (news.state !== 'failed' || !news.suppress || channel === 'inbox' || !address) return []
  return [{ channel, address, reason: news.suppress, detail: news.detail ?? null }]
}

async function writeHandovers(tx: Tx, handovers: readonly ChangedHandover[]) {
  if (handovers.length === 0) return
  await sql`UPDATE handovers h SET state = n.state, due_at = coalesce(n.due_at, CASE WHEN n.state = 'due' THEN h.due_at END),
      leased_until = CASE WHEN n.state = 'handed' THEN h.leased_until END,
      -- After a restore, a report may name a message whose sending the restored rows do not record.
      handed_at = coalesce(h.handed_at, CASE WHEN n.state <> 'due' THEN n.at END),
      provider_message_id = coalesce(h.provider_message_id, n.provider_message_id),
      reason = CASE WHEN n.at IS NULL THEN h.reason ELSE n.reason END,
      detail = CASE WHEN n.at IS NULL THEN h.detail ELSE n.detail END, state_at = coalesce(n.at, h.state_at)
    FROM json_to_recordset(${JSON.stringify(handovers)}::json) AS n (id uuid, state text, provider_message_id text,
      reason text, detail text, due_at timestamptz, at timestamptz)
    WHERE h.id = n.id`.execute(tx)
}
