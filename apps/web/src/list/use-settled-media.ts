import { useEffect, useState } from 'react'
import { navigationConstants } from '#domain/navigation/constants.ts'

/** Calls `settle` 200 ms after the window has stopped crossing the width of the query; gives back how to end that. */
export function onSettledMedia(query: string, settle: (matches: boolean) => void) {
  const media = matchMedia(query)
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(() => settle(media.matches), navigationConstants.resizeDebounce)
  }
  media.addEventListener('change', change)
  return () => {
    clearTimeout(timer)
    media.removeEventListener('change', change)
  }
}

/** Whether the window is of that width; a page is not laid out anew while the window is being dragged. */
export function useSettledMedia(query: string) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => onSettledMedia(query, setMatches), [query])
  return matches
}
