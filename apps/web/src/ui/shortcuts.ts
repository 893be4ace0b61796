type DialogRequest = () => boolean
const dialogRequests = new Set<DialogRequest>()

/**
 * Turns single-key shortcuts off while the function returns true: a dialog is requested and its code may still be
 * loading.
 */
export function turnShortcutsOffWhile(isAsked: DialogRequest) {
  dialogRequests.add(isAsked)
  return () => void dialogRequests.delete(isAsked)
}

/** Whether a dialog is requested whose code may still be loading. */
export const isDialogAsked = () => [...dialogRequests].some((isAsked) => isAsked())

type Page = { querySelector: (selector: string) => unknown }
type Target = { closest: (selector: string) => unknown }
type Key = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'target'>

/** Overlays on the page; while one is open, only it receives keys. */
const surfaces = '[aria-modal="true"],[role="dialog"],[role="alertdialog"],[role="menu"]'
/** Controls that accept typed letters. */
const writableControls = [
  ...['input', 'textarea', 'select', '[contenteditable=""]', '[contenteditable="true"]', '[role="textbox"]'],
  ...['[role="searchbox"]', '[role="combobox"]', '[role="spinbutton"]', '[role="listbox"]'],
].join(',')

/** Whether shortcuts are off: a dialog is open or requested, or a part of the page is loading. */
export const areShortcutsOff = (page: Page = document) =>
  isDialogAsked() || Boolean(page.querySelector(`${surfaces},[aria-busy="true"]`))

/** Whether a key press is not a shortcut: shortcuts are off, or the focus is in a text control. */
export function isNoShortcut(key: Key, page: Page = document) {
  if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing) return true
  const target = key.target as Partial<Target> | null
  return areShortcutsOff(page) || Boolean(target?.closest?.(writableControls))
}
