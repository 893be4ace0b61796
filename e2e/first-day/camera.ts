import type { Page } from 'playwright-core'

/** Takes a picture of a page for docs/first-day.md; journeys take none. */
export type Camera = (name: string, page: Page) => Promise<void>

export const noCamera: Camera = async () => {}
