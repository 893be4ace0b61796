/** Ref of a message that appears after a press: scrolls it above the bars at the edge of the screen, if they hide it. */
export const bringIntoView = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' })
