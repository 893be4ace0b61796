import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { registrationTab, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('hotkeys decide nothing while a search is loading; a review can be undone on its page; offline no review is queued', async () => {
  const say = wordsOf('en')
  const clerk = await world.person({ width: 1280, language: 'en' })
  const { page, context, checkPage } = clerk
  await world.keepPicturesOnFailure('reviews', [clerk], async () => {
    const reviews: string[] = []
    page.on('request', (request) => {
      const step = /\/documents\/[^/]+\/(approve|reject|undo)$/.exec(request.url())?.[1]
      if (step) reviews.push(step)
    })
    await signInAs(clerk, say, 'panitia')
    await goTo(page, '/pendaftaran?documents=to_review&status=paid')
    await page.getByRole('table').locator('a[href^="/pendaftaran/"]').first().click()
    await registrationTab(page, say, 'documents').click()
    await page.getByRole('img', { name: /\.jpg$/ }).waitFor()
    await page.getByText(say('applicants:office.title')).waitFor()
    await checkPage('review with the data of the applicant')

    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/search-dialog/, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('arya r')
    release()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('arya')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(reviews).toEqual([])

    await page.keyboard.press('a')
    const undo = page.getByRole('button', { name: new RegExp(`^${say('documents:undo', { name: '' }).trim()}`) })
    await undo.waitFor()
    await checkPage('review with an offer to undo')
    await page.keyboard.press('j')
    await undo.click()
    await page.getByText(/is as before; nobody was notified/).waitFor()
    expect(reviews).toEqual(['approve', 'undo'])

    await page.getByRole('img', { name: /\.jpg$/ }).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: new RegExp(`^${say('documents:approve')}`) }).click()
    await page.getByText(say('documents:offline')).waitFor()
    await registrationTab(page, say, 'summary').click()
    await context.setOffline(false)
    await page.waitForTimeout(2000)
    expect(reviews).toEqual(['approve', 'undo'])
  })
})
