type Click = Pick<MouseEvent, 'target' | 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey'>
type Link = { origin: string; pathname: string; search: string; hash: string; target: string }

/** Where a click leads within the product; none for what opens elsewhere, beside or within this page. */
export function wantedPath(event: Click, here: { origin: string }): string | undefined {
  const link = (event.target as Partial<Element> | null)?.closest?.('a[href]') as unknown as Link | null | undefined
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return undefined
  if (link.target === '_blank' || link.origin !== here.origin || link.hash) return undefined
  return link.pathname + link.search
}

/** How far Back or Forward went, from the numbers the router keeps in the history. */
export function stepsOf(from: { idx?: number } | null, to: { idx?: number } | null): number {
  return from?.idx === undefined || to?.idx === undefined ? 0 : to.idx - from.idx
}
