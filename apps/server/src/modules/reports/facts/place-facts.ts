import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import { waveGroup } from './wave-group.ts'

/** One row per class offered: study programme, wave, class programme and entry level, with its places. */
const placeFacts: Facts = {
  from: sql`programme_details d JOIN waves w ON w.id = d.wave_id JOIN study_programmes p ON p.id = d.programme_id
    JOIN faculties f ON f.id = p.faculty_id JOIN class_programmes c ON c.id = d.class_programme_id`,
  scope: (actor) => programmeVisibleTo(actor, 'p.id'),
  year: sql<string>`w.academic_year`,
  filters: {
    waveId: sql`d.wave_id`,
    facultyId: sql`p.faculty_id`,
    programmeId: sql`d.programme_id`,
    classProgrammeId: sql`d.class_programme_id`,
  },
  groups: {
    programme: { key: sql`p.id`, label: sql`p.name` },
    classProgramme: { key: sql`c.id`, label: sql`c.name` },
    wave: waveGroup,
    faculty: { key: sql`f.id`, label: sql`f.name` },
  },
  id: sql`d.id`,
  order: sql`p.name, w.opens_at`,
  columns: {
    programme: { value: sql`p.name`, kind: 'text' },
    classProgramme: { value: sql`c.name`, kind: 'text' },
    wave: { value: sql`w.name`, kind: 'text' },
    entryLevel: { value: sql`(SELECT l.name FROM entry_levels l WHERE l.id = d.entry_level_id)`, kind: 'text' },
    places: { value: sql`d.capacity`, kind: 'number' },
  },
}

/** Places of active offers. They have no time. */
export const capacity: Measure = {
  facts: placeFacts,
  where: sql<boolean>`d.active`,
  sum: sql`d.capacity`,
  offered: true,
}
