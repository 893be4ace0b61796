type Click = Pick<MouseEvent, 'target' | 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey'>
type Link = { origin: string; pathname: string; search: string; hash: string; target: string }

/** Path of a clicked link within the product; undefined for links to other origins, other tabs or this page. */
export function clickedPath(event: Click, page: { origin: string }): string | undefined {
  const link = (event.target as Partial<Element> | null)?.closest?.('a[href]') as unknown as Link | null | undefined
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return undefined
  if (link.target === '_blank' || link.origin !== page.origin || link.hash) return undefined
  return link.pathname + link.search
}

/** Steps moved by Back or Forward, from the index the router stores in the history. */
export function stepsOf(from: { idx?: number } | null, to: { idx?: number } | null): number {
  return from?.idx === undefined || to?.idx === undefined ? 0 : to.idx - from.idx
}
