import { sql } from 'kysely'
import type { Facts } from '#server/modules/reports/report.ts'

/** Joins whether school `s` has an active agreement. */
export const agreements = sql`LEFT JOIN (SELECT DISTINCT g.school_id FROM school_agreements g WHERE g.active) agreed
  ON agreed.school_id = s.id`

/** Groups of rows with school `s` and its agreements. */
export const schoolGroups = {
  school: { key: sql`s.id`, label: sql`s.name` },
  agreement: {
    key: sql`CASE WHEN s.id IS NOT NULL THEN (agreed.school_id IS NOT NULL)::text END`,
    label: sql`NULL::text`,
    words: 'yesNo',
  },
} satisfies Facts['groups']
