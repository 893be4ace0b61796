import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { readIntake } from '#server/modules/admissions/intake.ts'
import { readPriceList } from '#server/modules/payments/bills/prices/price-list.ts'
import { logoPath } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isRegistrationOpen } from '#server/platform/registration-opening.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

/** A name or text with its English form, if staff entered one. */
export type Named = { name: string; nameEn: string | null }

type ProgrammeRow = Named & {
  id: string
  code: string
  description: string | null
  descriptionEn: string | null
  accreditation: 'unggul' | 'baik_sekali' | 'baik' | 'a' | 'b' | 'c' | 'provisional' | null
  degreeCode: string
  degreeName: string
  degreeNameEn: string | null
  facultyId: string
  facultyName: string
  facultyNameEn: string | null
}

type SessionRow = Named & {
  waveId: string
  trackId: string | null
  date: string
  startTime: string
  endTime: string
  mode: 'onsite' | 'online'
  location: string
  tests: Named[]
}

const programmesOf = async (db: Db) =>
  (
    await sql<ProgrammeRow>`
      SELECT p.id, p.code, p.name, p.name_en, p.description, p.description_en, p.accreditation, l.code AS degree_code,
        l.name AS degree_name, l.name_en AS degree_name_en, f.id AS faculty_id, f.name AS faculty_name,
        f.name_en AS faculty_name_en
      FROM study_programmes p JOIN faculties f ON f.id = p.faculty_id JOIN degree_levels l ON l.id = p.degree_level_id
      WHERE p.active ORDER BY f.code, p.name, p.id`.execute(db)
  ).rows

/** Sessions that have not begun. The place of an online session is a link for those who have a seat. */
const sessionsOf = async (db: Db, waveIds: readonly string[], today: string) =>
  (
    await sql<SessionRow>`
      SELECT s.wave_id, s.track_id, s.name, NULL AS name_en, s.date, to_char(s.start_time, 'HH24:MI') AS start_time,
        to_char(s.end_time, 'HH24:MI') AS end_time, s.mode, CASE s.mode WHEN 'onsite' THEN s.location ELSE '' END AS location,
        coalesce((SELECT jsonb_agg(jsonb_build_object('name', x.name, 'nameEn', x.name_en) ORDER BY x.name)
          FROM test_session_tests k JOIN tests x ON x.id = k.test_id AND x.active
          WHERE k.test_session_id = s.id), '[]') AS tests
      FROM test_sessions s
      WHERE s.active AND s.cancelled_at IS NULL AND s.date >= ${today}::date AND s.wave_id = ANY(${[...waveIds]}::uuid[])
      ORDER BY s.date, s.start_time, s.id`.execute(db)
  ).rows

const byId = <R extends { id: string }>(rows: readonly R[]): ReadonlyMap<string, R> =>
  new Map(rows.map((row) => [row.id, row]))

/** Everything the public pages say, in one reading. */
export async function readProspectus({ db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>) {
  const now = clock.now()
  const settings = await getSettings(db)
  const today = universityCalendar().dayOf(now)
  const intake = await readIntake(db, now)
  const waveIds = intake.map(({ id }) => id)
  const [isOpen, prices, programmes, tracks, classes, waveNames, files, sessions, refunds, entryLevels, donations] =
    await Promise.all([
      isRegistrationOpen(db),
      readPriceList(db, waveIds),
      programmesOf(db),
      db.selectFrom('tracks').select(['id', 'nameEn', 'descriptionEn', 'audience', 'audienceEn']).execute(),
      db.selectFrom('classProgrammes').select(['id', 'nameEn', 'descriptionEn']).execute(),
      db.selectFrom('waves').select(['id', 'nameEn']).execute(),
      db
        .selectFrom('trackFiles')
        .select(['trackId', 'name', 'nameEn', 'stage', 'required', 'mayDefer'])
        .where('active', '=', true)
        .orderBy('sortOrder')
        .orderBy('name')
        .execute(),
      sessionsOf(db, waveIds, today),
      db
        .selectFrom('refundPolicies')
        .select(['waveId', 'lastDay', 'shareBps'])
        .where('active', '=', true)
        .where('kind', '=', 're_registration')
        .where('lastDay', '>=', today)
        .orderBy('lastDay')
        .execute(),
      db.selectFrom('entryLevels').select(['id', 'code', 'name', 'minimumEducation']).execute(),
      db
        .selectFrom('donations')
        .select(['waveId', 'programmeId', 'trackId', 'required', 'minimumAmount'])
        .where('active', '=', true)
        .execute(),
    ])
  return {
    now,
    university: {
      name: settings.universityName,
      shortName: settings.universityShortName,
      address: settings.address,
      phone: settings.phone,
      email: settings.email,
      website: settings.website,
      logo: settings.logoFileId && logoPath(settings.logoFileId),
      colour: settings.primaryColour,
    },
    office: { days: settings.chatDays, from: settings.chatFrom, until: settings.chatUntil },
    isDemo: config.demo,
    /** Whether applicants may sign up; prices are not shown before, because staff may still be entering them. */
    isOpen,
    showsPlaces: settings.placesOnPublicPage,
    waves: intake,
    prices,
    programmes,
    tracks: byId(tracks),
    classes: byId(classes),
    waveNames: byId(waveNames),
    entryLevels: byId(entryLevels),
    files,
    sessions,
    refunds,
    donations,
  }
}

export type Prospectus = Awaited<ReturnType<typeof readProspectus>>
export type Wave = Prospectus['waves'][number]
export type Track = Wave['tracks'][number]
export type Programme = Prospectus['programmes'][number]

/** Milliseconds for which visitors may see an outdated page. */
const freshForMs = 15_000

/** Reads the prospectus at most once in 15 seconds, however many visitors ask. */
export function keepProspectus(services: Services) {
  let cached: { prospectus: Promise<Prospectus>; at: number } | undefined
  return () => {
    const at = services.clock.now().getTime()
    if (!cached || at - cached.at >= freshForMs || at < cached.at) {
      const prospectus = readProspectus(services)
      cached = { prospectus, at }
      prospectus.catch(() => {
        cached = undefined
      })
    }
    return cached.prospectus
  }
}
