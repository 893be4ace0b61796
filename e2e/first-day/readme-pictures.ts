import { signInAs } from '../support/steps.ts'
import { wordsOf } from '../support/words.ts'
import { openWorld } from '../support/world.ts'
import type { Camera } from './camera.ts'

/** Takes the README's pictures of a demo with three seasons: the rector's dashboard and a report with its chart. */
export async function showReports(camera: Camera) {
  const world = await openWorld({ settings: { DEMO_HISTORY: 'true' } })
  try {
    const say = wordsOf('en')
    const rector = await world.person({ width: 1280, language: 'en' })
    const { page } = rector
    await world.keepPicturesOnFailure('readme', [rector], async () => {
      await signInAs(rector, say, 'pimpinan')
      await page.goto('/dashboard')
      await page.getByText(say('dashboards:columns.lastSeason')).first().waitFor()
      await camera('rector-dashboard', page)
      await page.goto('/laporan/pendaftaran-prodi')
      await page.locator('.recharts-surface').first().waitFor()
      await camera('report', page)
    })
  } finally {
    await world.close()
  }
}
