/** Marks the transfer number or the choice of bank, so that a press elsewhere on the page can lead there. */
export const payPlace = { 'data-pay-place': true, tabIndex: -1 } as const

/** Leads to the first bill to pay on the page or in a part of it: opens what hides it, scrolls to it and focuses it. */
export function goToPayment(part: ParentNode | null = document) {
  const place = part?.querySelector<HTMLElement>('[data-pay-place]')
  if (!place) return
  for (let box = place.closest('details'); box; box = box.parentElement?.closest('details') ?? null) box.open = true
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'start' })
}
