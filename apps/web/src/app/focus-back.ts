import { useEffect } from 'react'

const dialog = '[role="dialog"]'

/**
 * Returns the focus to the element that opened a dialog when the last dialog closes. Mantine does that only for dialogs
 * mounted while closed; most of ours are mounted only while open.
 */
export function useFocusBack() {
  useEffect(() => {
    let outside: HTMLElement | null = null
    const watcher = new MutationObserver(() => {
      if (document.querySelector(dialog)) return
      watcher.disconnect()
      if (document.activeElement === document.body && outside?.isConnected) outside.focus()
    })
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (target.closest(dialog)) watcher.observe(document.body, { childList: true, subtree: true })
      else outside = target
    }
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('focusin', onFocus)
      watcher.disconnect()
    }
  }, [])
}
