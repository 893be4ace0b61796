import { useEffect, useState } from 'react'
import { navigationConstants } from '#domain/navigation/constants.ts'

/** Calls `settle` 200 ms after the last event of that name; returns the function that ends it. */
function onSettled(target: EventTarget, name: string, settle: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(settle, navigationConstants.resizeDebounce)
  }
  target.addEventListener(name, change)
  return () => {
    clearTimeout(timer)
    target.removeEventListener(name, change)
  }
}

/** Calls `settle` when the window has kept its size for 200 ms; returns the function that ends it. */
export const onSettledResize = (settle: () => void) => onSettled(window, 'resize', settle)

/** Calls `settle` 200 ms after the window has stopped crossing the width of the query; returns the function that ends it. */
export function onSettledMedia(query: string, settle: (matches: boolean) => void) {
  const media = matchMedia(query)
  return onSettled(media, 'change', () => settle(media.matches))
}

/** Whether the media query matches, read again 200 ms after the last change so that dragging the window lays nothing out anew. */
export function useSettledMedia(query: string) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => onSettledMedia(query, setMatches), [query])
  return matches
}
