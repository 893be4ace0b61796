import { type SelectionInput, selectApplicants, states } from '#server/modules/selection/compute/select.ts'
import type { Case } from '../measure.ts'
import { placeNaively } from '../peers/deferred-acceptance.ts'

const applicantCount = 100_000
const choiceCount = 4
const programmeCount = 200
const rounds = 5

/** A wave in which some programmes are far more popular than others; the same in every run. */
function wave(): SelectionInput {
  let state = 42
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const count = applicantCount * choiceCount
  const quota = new Int32Array(count)
  const total = new Float64Array(count)
  const lot = new Float64Array(count)
  for (let applicant = 0; applicant < applicantCount; applicant++) {
    const chosen = new Set<number>()
    while (chosen.size < choiceCount) chosen.add(Math.floor(random() ** 2 * programmeCount))
    const score = Math.round(20_000 + random() * 60_000)
    const drawn = Math.floor(random() * 2 ** 48)
    for (const [wish, programme] of [...chosen].entries()) {
      const index = applicant * choiceCount + wish
      quota[index] = programme
      total[index] = score
      lot[index] = drawn
    }
  }
  return {
    quotas: Array.from({ length: programmeCount }, () => ({
      parent: null,
      places: 300,
      spillTurn: null,
      ties: 'lot' as const,
    })),
    firstChoicesFirst: false,
    reservePercent: 20,
    columns: {
      applicant: Int32Array.from({ length: count }, (_, index) => Math.floor(index / choiceCount)),
      wish: Int32Array.from({ length: count }, (_, index) => (index % choiceCount) + 1),
      quota,
      total,
      lot,
      scores: [],
      state: new Uint8Array(count).fill(states.open),
    },
  }
}

const input = wave()

/** Runs per second, from the median time. */
function runsPerSecond(run: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const startMs = performance.now()
    run()
    return performance.now() - startMs
  })
  return 1_000 / times.sort((a, b) => a - b)[rounds >> 1]!
}

/** 100,000 applicants × 4 choices × 200 programmes ranked and placed, with ranks and reserve. */
export const rankingCase: Case = {
  ownDatabase: true,
  goal: 0.5,
  unit: 'runs/s',
  ours: async () => runsPerSecond(() => selectApplicants(input)),
  theirs: async () => runsPerSecond(() => placeNaively(input)),
  close: async () => {},
}
