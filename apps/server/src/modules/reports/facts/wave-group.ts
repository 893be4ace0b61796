import { sql } from 'kysely'
import type { Group } from '#server/modules/reports/report.ts'

/** Waves `w` by name, followed by the academic year if lines belong to several years. */
export const waveGroup: Group = {
  key: sql`w.id`,
  label: sql`w.name || CASE WHEN moment.year IS NULL OR moment.counterparts IS NOT NULL THEN ' · ' || w.academic_year ELSE '' END`,
  isYearly: true,
}
