import { rupiah, timeOfDay, weekdayDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'

/** `Friday, 27 November 2026, 23.59` in the reader's language. */
export function useDue() {
  const { language } = useSurroundings()
  return (iso: string | null) => (iso ? `${weekdayDate(iso, language)}, ${timeOfDay(iso, language)}` : '')
}

/** Values of a step as its sentence shows them. */
export function useStepParams() {
  const due = useDue()
  return (item: { dueAt: string | null; params: Record<string, string | number> } | null) => ({
    ...item?.params,
    due: due(item?.dueAt ?? null),
    ...(typeof item?.params.amount === 'number' && { amount: rupiah(item.params.amount) }),
  })
}
