import type { SelectionInput } from '#server/modules/selection/compute/select.ts'

type Applicant = { id: number; lot: number; choices: { programme: number; total: number }[]; next: number }

/**
 * Deferred acceptance as in textbooks, with objects and lists: each applicant asks the next choice, and a programme
 * keeps a sorted list and rejects the last above its places. Computes no ranks and no reserve list. Returns each
 * applicant's programme, or -1.
 */
export function placeNaively({ quotas, columns: { applicant, quota, total, lot } }: SelectionInput): Int32Array {
  const applicants: Applicant[] = []
  for (let index = 0; index < applicant.length; index++) {
    const id = applicant[index]!
    applicants[id] ??= { id, lot: lot[index]!, choices: [], next: 0 }
    applicants[id].choices.push({ programme: quota[index]!, total: total[index]! })
  }
  const held: { total: number; applicant: Applicant }[][] = quotas.map(() => [])
  const waiting = applicants.toReversed()
  while (waiting.length > 0) {
    const person = waiting.pop()!
    const choice = person.choices[person.next++]
    if (!choice) continue
    const list = held[choice.programme]!
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = list[middle]!
      if (other.total > choice.total || (other.total === choice.total && other.applicant.lot < person.lot))
        low = middle + 1
      else high = middle
    }
    list.splice(low, 0, { total: choice.total, applicant: person })
    if (list.length > quotas[choice.programme]!.places) waiting.push(list.pop()!.applicant)
  }
  const placed = new Int32Array(applicants.length).fill(-1)
  for (const [programme, list] of held.entries())
    for (const { applicant: person } of list) placed[person.id] = programme
  return placed
}
