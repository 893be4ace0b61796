import { areShortcutsOff } from '#web/ui/shortcuts.ts'

/** Which row is current after a step; the first step enters the list at its top. */
export const movedTo = (current: number, by: number, count: number) => Math.max(0, Math.min(count - 1, current + by))

type Near = { closest: (selector: string) => unknown }
type Within = { querySelector: (selector: string) => unknown }

/** A key belongs to an open dialog or menu, or Enter to the button or link that has the focus, not to the list. */
export function isElsewhere(key: string, target: unknown, page: Within): boolean {
  if (areShortcutsOff(page)) return true
  const at = target as Partial<Near> | null
  if (!at?.closest) return false
  const own = key === 'Enter' ? '[role="dialog"],[role="menu"],a,button' : '[role="dialog"],[role="menu"]'
  return !!at.closest(own)
}
