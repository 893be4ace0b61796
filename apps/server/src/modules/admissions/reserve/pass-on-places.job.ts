import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { passOnPlaces } from './offer-place.ts'
import { placeVacated, type ReserveList } from './reserve-places.ts'

/**
 * Offers vacated places to reserve lists: to one list right after a place was vacated, and every ten minutes to all
 * lists with vacated places, because results may have been published or capacities raised since.
 */
export const passOnPlacesJob = defineJob({
  name: 'pass-on-places',
  on: placeVacated,
  schedule: '*/10 * * * *',
  data: z.object({
    waveId: z.uuid().optional(),
    programmeId: z.uuid().optional(),
    classProgrammeId: z.uuid().optional(),
    trackId: z.uuid().nullable().optional(),
  }),
  async run(services, { waveId, programmeId, classProgrammeId, trackId }) {
    if (waveId && programmeId && classProgrammeId && trackId !== undefined)
      return passOnPlaces(services, { waveId, programmeId, classProgrammeId, trackId })
    const { rows: lists } = await sql<ReserveList>`
      SELECT v.wave_id, v.programme_id, v.class_programme_id, v.track_id FROM vacated_places v
      WHERE v.reserve_place_id IS NULL AND EXISTS (SELECT FROM reserve_places p WHERE p.status = 'waiting'
        AND p.programme_id = v.programme_id AND p.class_programme_id = v.class_programme_id
        AND p.track_id IS NOT DISTINCT FROM v.track_id)
      GROUP BY 1, 2, 3, 4 ORDER BY min(v.vacated_at)`.execute(services.db)
    let count = 0
    for (const list of lists) count += await passOnPlaces(services, list)
    return count
  },
})
