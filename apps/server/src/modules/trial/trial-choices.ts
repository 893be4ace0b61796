import type { TrialChoices } from '#domain/trial/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Choices the active settings offer, including waves and tracks that are not open yet. */
export async function trialChoices(db: Db) {
  const [waves, windows, places] = await Promise.all([
    db.selectFrom('waves').select(['id', 'name']).where('active', '=', true).orderBy('opensAt', 'desc').execute(),
    db
      .selectFrom('trackDetails as d')
      .innerJoin('waves as w', 'w.id', 'd.waveId')
      .innerJoin('tracks as t', 't.id', 'd.trackId')
      .innerJoin('entryLevels as e', 'e.id', 'd.entryLevelId')
      .select(['d.waveId', 'd.opensAt', 'd.closesAt', 't.id as trackId', 't.name as track'])
      .select(['e.id as entryLevelId', 'e.name as entryLevel'])
      .where('d.active', '=', true)
      .where('t.active', '=', true)
      .where('e.active', '=', true)
      .where('w.active', '=', true)
      .orderBy('t.name')
      .orderBy('e.name')
      .execute(),
    db
      .selectFrom('programmeDetails as d')
      .innerJoin('waves as w', 'w.id', 'd.waveId')
      .innerJoin('studyProgrammes as p', 'p.id', 'd.programmeId')
      .innerJoin('classProgrammes as c', 'c.id', 'd.classProgrammeId')
      .select(['d.waveId', 'd.entryLevelId', 'c.id as classProgrammeId', 'c.name as classProgramme'])
      .select(['p.id as programmeId', 'p.name as programme'])
      .where('d.active', '=', true)
      .where('p.active', '=', true)
      .where('c.active', '=', true)
      .where('w.active', '=', true)
      .orderBy('p.name')
      .orderBy('c.name')
      .execute(),
  ])
  return {
    waves,
    windows: windows.map(({ trackId, track, entryLevelId, entryLevel, ...window }) => ({
      ...window,
      track: { id: trackId, name: track },
      entryLevel: { id: entryLevelId, name: entryLevel },
    })),
    places: places.map(({ classProgrammeId, classProgramme, programmeId, programme, ...place }) => ({
      ...place,
      classProgramme: { id: classProgrammeId, name: classProgramme },
      programme: { id: programmeId, name: programme },
    })),
  } satisfies { [K in keyof TrialChoices]: unknown }
}
