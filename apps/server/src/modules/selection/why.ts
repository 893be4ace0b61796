import type { SelectionOutcome, SelectionTies } from '#domain/selection/rules.ts'
import type { Language } from '#entities/define/language.ts'
import { twoDecimals, wholeNumber } from '#locales/format.ts'
import { sentences } from '#server/platform/text.ts'

export type OutcomeFacts = {
  outcome: SelectionOutcome
  rank: number | null
  reserveRank: number | null
  total: number | null
  places: number
  placed: number
  lastTotal: number | null
  passingGrade: number | null
  ties: SelectionTies
  holdReason: string | null
}

/** One sentence that explains a choice's outcome, for example "Rank 212, 180 places, last admitted 612,40." */
export function explainOutcome(facts: OutcomeFacts, language: Language): string {
  const { outcome, rank, reserveRank, total, places, placed, lastTotal, passingGrade, ties, holdReason } = facts
  const t = sentences(language)
  const isTiedOut = outcome === 'full' && total !== null && total === lastTotal
  const params = {
    rank: wholeNumber(rank ?? 0),
    turn: wholeNumber(reserveRank ?? 0),
    places: wholeNumber(Math.max(places, placed)),
    total: total === null ? '–' : twoDecimals(total),
    last: lastTotal === null ? '–' : twoDecimals(lastTotal),
    grade: passingGrade === null ? '–' : twoDecimals(passingGrade),
    reason: holdReason ?? '',
  }
  if (outcome === 'full' && lastTotal === null) return t('selection:why.nobody', params)
  if (outcome === 'below_minimum' && passingGrade !== null && total !== null && total < passingGrade)
    return t('selection:why.below_grade', params)
  return t(`selection:why.${isTiedOut ? `tied.${ties}` : outcome}`, params)
}
