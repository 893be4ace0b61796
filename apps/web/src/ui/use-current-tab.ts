import { useEffect, useRef } from 'react'

/** Ref for a row of tabs: scrolls sideways to the current tab whenever it changes. */
export function useCurrentTab() {
  const tabs = useRef<HTMLElement>(null)
  const lastTab = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-current]') ?? null
    if (!tabs.current || !tab || tab === lastTab.current) return
    lastTab.current = tab
    const row = tabs.current.getBoundingClientRect()
    const { left, width } = tab.getBoundingClientRect()
    tabs.current.scrollLeft += left - row.left - (row.width - width) / 2
  })
  return tabs
}
