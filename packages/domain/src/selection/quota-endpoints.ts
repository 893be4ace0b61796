import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

const byId = z.object({ id: z.uuid() })
const version = z.int().min(1)

const quotaGrid = z.object({
  /** Id of the programme's row for a wave, class and entry level. */
  id: z.uuid(),
  version,
  wave: z.string(),
  programme: z.string(),
  classProgramme: z.string(),
  entryLevel: z.string(),
  capacity: z.int(),
  overOffer: z.int(),
  accepted: z.int(),
  /** Empty unless the places are divided by track. */
  tracks: z.array(
    z.object({
      trackId: z.uuid(),
      name: z.string(),
      places: z.int(),
      spillTurn: z.int().nullable(),
    }),
  ),
  /** Every track of the wave and entry level, with its applicants' outcomes so far. */
  candidates: z.array(
    z.object({
      trackId: z.uuid(),
      name: z.string(),
      applicants: z.int(),
      accepted: z.int(),
      /** The track's limit of submissions, which is not a quota of places. */
      submissionLimit: z.int().nullable(),
    }),
  ),
  /** Why the reader may not change the quotas. */
  refusal: z.string().nullable(),
})
export type QuotaGrid = z.output<typeof quotaGrid>

export const readQuotaGrid = endpoint({
  method: 'GET',
  path: '/seleksi/quotas/:id',
  access: 'seleksi-view',
  summary: 'How the places of a programme are divided by track',
  params: byId,
  response: z.object({ data: quotaGrid }),
})

/** Most programmes whose places can be saved together. */
export const maxProgrammesOfWave = 1000

const places = z.int().min(0).max(100_000)
const spillTurn = z.int().min(1).max(100).nullable()
const division = {
  version,
  overOffer: places,
  /** Empty: the places are not divided. */
  tracks: z.array(z.strictObject({ trackId: z.uuid(), places, spillTurn })).max(50),
}

type Division = { tracks?: { trackId: string; spillTurn: number | null }[] }

/** A track listed twice, or two tracks with the same turn. */
function problemOfTracks({ tracks = [] }: Division) {
  const turns = tracks.flatMap(({ spillTurn: turn }) => turn ?? [])
  if (new Set(turns).size < turns.length) return 'selection_turn_twice'
  return new Set(tracks.map(({ trackId }) => trackId)).size < tracks.length ? 'invalid_input' : null
}

export const saveQuotaGrid = endpoint({
  method: 'PUT',
  path: '/seleksi/quotas/:id',
  access: 'seleksi-update',
  summary: 'Divide the places of a programme by track, and plan its over-offer',
  params: byId,
  body: z.strictObject(division),
  rules: (body: Division) => ({ tracks: problemOfTracks(body) }),
  response: z.object({ data: quotaGrid }),
})

const waveQuotas = z.object({
  wave: z.string(),
  /** Every track of the wave. */
  tracks: z.array(z.object({ trackId: z.uuid(), name: z.string() })),
  /** Active programmes the reader sees, for each class and entry level. */
  programmes: z.array(
    quotaGrid
      .pick({
        id: true,
        version: true,
        programme: true,
        classProgramme: true,
        entryLevel: true,
        capacity: true,
        overOffer: true,
        accepted: true,
        tracks: true,
      })
      .extend({
        /** Tracks open at the entry level. */
        trackIds: z.array(z.uuid()),
      }),
  ),
  refusal: z.string().nullable(),
})
export type WaveQuotas = z.output<typeof waveQuotas>

export const readWaveQuotas = endpoint({
  method: 'GET',
  path: '/seleksi/waves/:id/quotas',
  access: 'seleksi-view',
  summary: 'How the places of every programme of a wave are divided by track',
  params: byId,
  response: z.object({ data: waveQuotas }),
})

export const saveWaveQuotas = endpoint({
  method: 'PUT',
  path: '/seleksi/waves/:id/quotas',
  access: 'seleksi-update',
  summary: 'Divide the places of many programmes of a wave by track; all of them or none',
  params: byId,
  body: z.strictObject({
    programmes: z
      .array(z.strictObject({ id: z.uuid(), ...division }))
      .min(1)
      .max(maxProgrammesOfWave),
  }),
  rules: ({ programmes = [] }: { programmes?: (Division & { id: string })[] }) => ({
    programmes:
      programmes.map(problemOfTracks).find((problem) => problem !== null) ??
      (new Set(programmes.map(({ id }) => id)).size < programmes.length ? 'invalid_input' : null),
  }),
  response: z.object({ data: waveQuotas }),
})
