import { rupiah, timeOfDay, weekdayDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Returns a function that formats a deadline: `Friday, 27 November 2026, 23.59` in the reader's language. */
export function useDue() {
  const { language } = useSurroundings()
  return (iso: string | null) => (iso ? `${weekdayDate(iso, language)}, ${timeOfDay(iso, language)}` : '')
}

/** Returns a function that formats the parameters of a step's sentence. */
export function useStepParams() {
  const due = useDue()
  return (item: { dueAt: string | null; params: Record<string, string | number> } | null) => ({
    ...item?.params,
    due: due(item?.dueAt ?? null),
    ...(typeof item?.params.amount === 'number' && { amount: rupiah(item.params.amount) }),
  })
}
