import { billsListCase } from './cases/lists/bills-list.case.ts'
import { registrationListCase } from './cases/lists/registration-list.case.ts'
import { registrationListAllCase } from './cases/lists/registration-list-all.case.ts'
import { type Bench, prepare } from './measure.ts'

const rounds = 3
/** Numbers of registrations to compare. `BENCH_GROWTH=1000,3000` gives a quick run whose figures mean nothing. */
const [few = 10_000, many = 1_000_000] = (process.env.BENCH_GROWTH ?? '').split(',').filter(Boolean).map(Number)
/** Highest ratio of the times per answer of the two databases. */
const goal = 1.3

const lists = {
  'registration-list': registrationListCase,
  'registration-list-all': registrationListAllCase,
  'bills-list': billsListCase,
}

/** Milliseconds per answer for each list: the best of the rounds, after a warm-up round. */
async function timeLists(bench: Bench): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const [name, list] of Object.entries(lists)) {
    if (list.ownDatabase) continue
    await list.ours(bench)
    const perSecond: number[] = []
    for (let round = 0; round < rounds; round++) perSecond.push(await list.ours(bench))
    times.set(name, 1_000 / Math.max(...perSecond))
  }
  return times
}

async function timeOn(registrations: number) {
  const bench = await prepare({ registrations })
  try {
    return await timeLists(bench)
  } finally {
    await bench.close()
  }
}

/** Compares the lists on two separate databases; returns whether none takes much longer on the large one. */
export async function listGrowth(): Promise<boolean> {
  const [small, large] = [await timeOn(few), await timeOn(many)]
  const rows = [...small].map(([list, smallMs]) => {
    const largeMs = large.get(list)!
    const round2 = (value: number) => Math.round(value * 100) / 100
    return {
      list,
      [`ms at ${few}`]: round2(smallMs),
      [`ms at ${many}`]: round2(largeMs),
      ratio: round2(largeMs / smallMs),
      goal,
    }
  })
  console.table(rows)
  return rows.every(({ ratio }) => ratio <= goal)
}
