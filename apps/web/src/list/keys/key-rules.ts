import { areShortcutsOff } from '#web/ui/shortcuts.ts'

/** Index of the current row after a step; the first step selects the top row. */
export const movedTo = (current: number, steps: number, count: number) =>
  Math.max(0, Math.min(count - 1, current + steps))

type Near = { closest: (selector: string) => unknown }
type Within = { querySelector: (selector: string) => unknown }

/**
 * Whether a key belongs to an open dialog or menu, or is Enter on the focused button or link, rather than to the list.
 */
export function isElsewhere(key: string, target: unknown, page: Within): boolean {
  if (areShortcutsOff(page)) return true
  const element = target as Partial<Near> | null
  if (!element?.closest) return false
  const selector = key === 'Enter' ? '[role="dialog"],[role="menu"],a,button' : '[role="dialog"],[role="menu"]'
  return !!element.closest(selector)
}
