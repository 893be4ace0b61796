import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { billLineView, planQuote } from '#domain/payments/bills/endpoints.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { roundingSteps } from './amounts.ts'
import { planTermProblems } from './instalment-plan.ts'

const rupiah = z.int().min(0).max(1_000_000_000_000)
const programmeParams = z.object({ parentId: z.uuid() })
const named = z.object({ id: z.uuid(), code: z.string(), name: z.string() })

export const adjustmentInput = z.strictObject({
  basisPoints: z.int().min(-9_000).max(20_000).default(0),
  roundTo: z.literal([...roundingSteps]).default(1),
})

const tuitionCell = z.object({
  id: z.uuid(),
  classProgrammeId: z.uuid(),
  feeComponentId: z.uuid(),
  amount: z.int(),
  installmentsAllowed: z.boolean(),
  /** Inactive rows are kept but not charged. */
  active: z.boolean(),
  version: z.int(),
})
export type TuitionCell = z.output<typeof tuitionCell>

const tuitionGrid = z.object({
  programme: named,
  waveId: z.uuid(),
  trackId: z.uuid().nullable(),
  waves: z.array(z.object({ id: z.uuid(), title: z.string(), active: z.boolean(), rows: z.int() })),
  tracks: z.array(z.object({ id: z.uuid(), name: z.string(), rows: z.int() })),
  /** `offered`: the programme admits applicants to this class in this wave. */
  classProgrammes: z.array(named.extend({ offered: z.boolean() })),
  components: z.array(named.extend({ recurrence: z.string() })),
  cells: z.array(tuitionCell),
  /** Amounts for tracks without their own row; empty in the grid for all tracks. */
  everyTrack: z.array(tuitionCell.pick({ classProgrammeId: true, feeComponentId: true, amount: true })),
})
export type TuitionGrid = z.output<typeof tuitionGrid>

export const readTuitionGrid = endpoint({
  method: 'GET',
  path: '/master/prodi/:parentId/uang-kuliah/grid',
  access: 'master-prodi-view',
  summary: 'Tuition of a study programme in one wave, components by class programmes; the newest wave unless told',
  params: programmeParams,
  query: z.strictObject({ waveId: z.uuid().optional(), trackId: z.uuid().optional() }),
  response: z.object({ data: tuitionGrid }),
})

/** Field name of a cell in refusals. */
export const cellName = (cell: { feeComponentId: string; classProgrammeId: string }) =>
  `cells.${cell.feeComponentId}.${cell.classProgrammeId}`

const cellChange = z.strictObject({
  classProgrammeId: z.uuid(),
  feeComponentId: z.uuid(),
  /** The row before the change; null if the cell was empty. */
  base: z.strictObject({ id: z.uuid(), version: z.int().min(1) }).nullable(),
  /** Null deletes the row and empties the cell. */
  amount: rupiah.nullable(),
  installmentsAllowed: z.boolean(),
})
const repeatedCellProblems = (cells: readonly (Partial<CellChange> | undefined)[]): Problems => {
  const names = cells.map((cell) =>
    cell?.feeComponentId && cell.classProgrammeId ? cellName(cell as CellChange) : null,
  )
  const repeatedNames = names.filter((name, index) => name !== null && names.indexOf(name) < index)
  return Object.fromEntries(repeatedNames.map((name) => [name, 'combination_exists']))
}

export type CellChange = z.output<typeof cellChange>

export const saveTuitionGrid = endpoint({
  method: 'PUT',
  path: '/master/prodi/:parentId/uang-kuliah/grid',
  access: 'master-uang-kuliah-edit',
  summary: 'Save the changed cells together or not at all; 409 names every cell somebody else changed meanwhile',
  params: programmeParams,
  body: z.strictObject({
    waveId: z.uuid(),
    trackId: z.uuid().nullable(),
    cells: z.array(cellChange).min(1).max(2_000),
  }),
  rules: ({ cells = [] }) => repeatedCellProblems(cells),
  response: z.object({ data: tuitionGrid, meta: z.object({ created: z.int(), changed: z.int(), removed: z.int() }) }),
})

export const quoteTuitionAsApplicant = endpoint({
  method: 'GET',
  path: '/master/prodi/:parentId/uang-kuliah/quote',
  access: 'master-prodi-view',
  summary: 'What an applicant of this class and track is asked for, with the dates of every instalment plan offered',
  params: programmeParams,
  query: z.strictObject({ waveId: z.uuid(), trackId: z.uuid(), classProgrammeId: z.uuid() }),
  response: z.object({
    data: z.object({
      lines: z.array(billLineView.extend({ installmentsAllowed: z.boolean() })),
      total: z.int(),
      /** Share of the total due with the first instalment. */
      upfront: z.int(),
      dueAt: time,
      plans: z.array(planQuote),
      /** Plans of this wave not offered because their terms do not add up to the whole. */
      plansLeftOut: z.array(z.object({ id: z.uuid(), name: z.string() })),
      registrationFees: z.array(z.object({ entryLevel: z.string(), amount: z.int() })),
    }),
  }),
})

const sameWaveProblems = ({ fromWaveId, toWaveId }: { fromWaveId?: string; toWaveId?: string }): Problems => ({
  toWaveId: toWaveId && fromWaveId === toWaveId ? 'same_wave' : null,
})

const copyInput = z.strictObject({
  fromWaveId: z.uuid(),
  toWaveId: z.uuid(),
  adjustment: adjustmentInput,
  /** Whether existing amounts in the new wave are kept or replaced. */
  existing: z.enum(['keep', 'replace']).default('keep'),
})

const tuitionCopy = z.object({
  programmes: z.array(
    named.extend({
      added: z.int(),
      replaced: z.int(),
      kept: z.int(),
      unchanged: z.int(),
      classes: z.array(
        z.object({
          classProgramme: z.string(),
          /** Null: all tracks. */
          track: z.string().nullable(),
          /** Sums: old wave, new wave now, new wave after the copy. */
          from: z.int(),
          now: z.int(),
          willBe: z.int(),
        }),
      ),
    }),
  ),
  added: z.int(),
  replaced: z.int(),
  kept: z.int(),
  unchanged: z.int(),
  /** Fingerprint of the preview; 409 if the copy's result would differ. */
  fingerprint: z.string(),
})
export type TuitionCopy = z.output<typeof tuitionCopy>

export const previewTuitionCopy = endpoint({
  method: 'POST',
  path: '/master/uang-kuliah/copy/preview',
  access: 'master-uang-kuliah-create',
  reads: true,
  summary: 'What copying the tuition of all study programmes to another wave would write',
  body: copyInput,
  rules: sameWaveProblems,
  response: z.object({ data: tuitionCopy }),
})

export const copyTuition = endpoint({
  method: 'POST',
  path: '/master/uang-kuliah/copy',
  access: 'master-uang-kuliah-create',
  summary: 'Copy the tuition of all study programmes to another wave, as the preview showed it',
  body: copyInput.extend({ fingerprint: z.string().max(100) }),
  rules: sameWaveProblems,
  response: z.object({ data: tuitionCopy }),
})

const term = z.strictObject({
  /** Id of an existing term. */
  id: z.uuid().optional(),
  shareBps: z.int().min(1).max(10_000).nullable(),
  amount: z.int().min(1).max(1_000_000_000_000).nullable(),
  dueDate: typedDay.nullable(),
  dueDays: z.int().min(0).max(3_650).nullable(),
})

const storedTerm = z.object({
  id: z.uuid(),
  version: z.int(),
  active: z.boolean(),
  shareBps: z.int().nullable(),
  amount: z.int().nullable(),
  dueDate: z.string().nullable(),
  dueDays: z.int().nullable(),
})
export type StoredTerm = z.output<typeof storedTerm>

const planTerms = z.object({ data: z.object({ terms: z.array(storedTerm), offered: z.boolean() }) })

export const readPlanTerms = endpoint({
  method: 'GET',
  path: '/master/cicilan/:id/terms',
  access: 'master-cicilan-view',
  summary: 'Terms of an instalment plan in their order, and whether the plan is whole and so offered',
  params: z.object({ id: z.uuid() }),
  response: planTerms,
})

export const savePlanTerms = endpoint({
  method: 'PUT',
  path: '/master/cicilan/:id/terms',
  access: 'master-cicilan-update',
  summary: 'Save all terms of an instalment plan in their order, together or not at all',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({
    /** Terms before the change; 409 if they have changed since. */
    base: z.array(z.strictObject({ id: z.uuid(), version: z.int().min(1) })).max(60),
    terms: z.array(term).max(60),
  }),
  rules: ({ terms }) => planTermProblems(terms),
  response: planTerms,
})

const feeRow = z.object({
  id: z.uuid(),
  amount: z.int(),
  trackId: z.uuid().nullable(),
  entryLevelId: z.uuid().nullable(),
  classProgrammeId: z.uuid().nullable(),
  active: z.boolean(),
})
export type FeeRow = z.output<typeof feeRow>

export const readFeeRule = endpoint({
  method: 'GET',
  path: '/master/biaya-pendaftaran/rule',
  access: 'master-biaya-pendaftaran-view',
  summary:
    'Registration fees of a wave and what they can speak of, to tell which row wins; the newest wave unless told',
  query: z.strictObject({ waveId: z.uuid().optional() }),
  response: z.object({
    data: z.object({
      waveId: z.uuid().nullable(),
      waves: z.array(z.object({ id: z.uuid(), title: z.string(), rows: z.int() })),
      rows: z.array(feeRow),
      tracks: z.array(z.object({ id: z.uuid(), name: z.string(), freeOfFee: z.boolean() })),
      entryLevels: z.array(z.object({ id: z.uuid(), name: z.string() })),
      classProgrammes: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  }),
})
