import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { type CardReading, figureOf, firstLines, lineOf, listAddress } from '#server/modules/dashboards/card.ts'
import { isDue } from '#server/modules/leads/lead-conditions.ts'

type Owner = { id: string | null; name: string | null; due: number; overdue: number }

/** Leads to be called today or earlier, by owner, counted with the condition of the call list. */
export const leadCalls: CardReading = async ({ services: { db }, actor, at }) => {
  const today = universityCalendar().dayOf(at)
  const { rows } = await sql<Owner>`
    SELECT l.owner_id AS id, a.name, count(*)::int AS due, count(*) FILTER (WHERE l.next_contact_on < ${today})::int AS overdue
    FROM leads l LEFT JOIN accounts a ON a.id = l.owner_id WHERE l.merged_into IS NULL AND ${isDue(today)}
    GROUP BY 1, 2 ORDER BY 3 DESC, a.name`.execute(db)
  const { rows: free } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM leads WHERE merged_into IS NULL
    AND owner_id IS NULL AND stage IN ('new', 'contacted', 'interested')`.execute(db)
  const open = (filters: Record<string, string>) =>
    listAddress(actor, 'marketing-prospek-view', '/marketing/prospek', filters)
  return {
    figures: [
      figureOf(
        'toCall',
        rows.reduce((sum, { due }) => sum + due, 0),
        { to: open({ queue: 'calls' }) },
      ),
      figureOf(
        'overdue',
        rows.reduce((sum, { overdue }) => sum + overdue, 0),
        { to: open({ check: 'overdue' }) },
      ),
      figureOf('unowned', theOnly(free).count, { to: open({ queue: 'unowned' }) }),
    ],
    columns: [
      { key: 'dueLeads', kind: 'count' },
      { key: 'overdue', kind: 'count' },
    ],
    ...firstLines(
      rows.map(({ id, name, due, overdue }) =>
        lineOf([due, overdue], {
          ...(name ? { label: name } : { word: 'nobody' }),
          to: open({ queue: 'calls', ...(id && { ownerId: id }) }),
        }),
      ),
      8,
    ),
    to: open({ queue: 'calls' }),
  }
}
