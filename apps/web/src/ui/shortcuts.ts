type Asked = () => boolean
const asked = new Set<Asked>()

/** Turns single-key shortcuts off while a dialog is asked for, also before its code has come; for dialogs loaded late. */
export function turnShortcutsOffWhile(isAsked: Asked) {
  asked.add(isAsked)
  return () => void asked.delete(isAsked)
}

/** Whether a dialog was asked for whose code may still be loading. */
export const isDialogAsked = () => [...asked].some((isAsked) => isAsked())

type Page = { querySelector: (selector: string) => unknown }
type Target = { closest: (selector: string) => unknown }
type Key = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'target'>

/** Surfaces over the page: while one is open, keys are its own. */
const surfaces = '[aria-modal="true"],[role="dialog"],[role="alertdialog"],[role="menu"]'
/** Controls that take letters themselves. */
const writable = [
  ...['input', 'textarea', 'select', '[contenteditable=""]', '[contenteditable="true"]', '[role="textbox"]'],
  ...['[role="searchbox"]', '[role="combobox"]', '[role="spinbutton"]', '[role="listbox"]'],
].join(',')

/** Whether the page must leave keys alone: a dialog is open or on its way, or a part of the page is loading. */
export const areShortcutsOff = (page: Page = document) =>
  isDialogAsked() || Boolean(page.querySelector(`${surfaces},[aria-busy="true"]`))

/** Whether a key pressed now is no shortcut: the page has none at this moment, or somebody is writing. */
export function isNoShortcut(key: Key, page: Page = document) {
  if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing) return true
  const target = key.target as Partial<Target> | null
  return areShortcutsOff(page) || Boolean(target?.closest?.(writable))
}
