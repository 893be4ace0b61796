import { useEffect } from 'react'

const dialog = '[role="dialog"]'

/**
 * When the last dialog is gone, what was pressed to open it has the focus again. Dialogs do that by themselves only if
 * they stay in the tree while closed, and most of ours are there only while they are open.
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
