import { useEffect, useState } from 'react'

/** For a dialog that is there only while it is open: what was pressed to open it has the focus again afterwards. */
export function useFocusBack() {
  const [pressed] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const another = document.querySelector('[role="dialog"]')
        if (!another && pressed instanceof HTMLElement && pressed.isConnected) pressed.focus()
      })
    },
    [pressed],
  )
}
