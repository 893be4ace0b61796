/** Ref for a message that appears after a press: scrolls it out from under the bars at the screen edge. */
export const bringIntoView = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' })
