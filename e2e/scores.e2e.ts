import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pick, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

type Seated = { code: string; registration: string; session: string; wave: string; test: string }

/** Six people of one session who may be given a score in its first test. */
async function findSeated(): Promise<Seated[]> {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows } = await db.query<Seated>(
      `SELECT r.code, r.id AS registration, e.id AS session, w.name || ' ' || w.academic_year AS wave, t.id AS test
       FROM test_sessions e JOIN waves w ON w.id = e.wave_id JOIN test_seats s ON s.test_session_id = e.id AND s.status = 'attended'
       JOIN registrations r ON r.id = s.registration_id AND r.status IN ('paid', 'verified')
       JOIN test_session_tests st ON st.test_session_id = e.id JOIN tests t ON t.id = st.test_id AND t.code = 'TPA'
       ORDER BY count(*) OVER (PARTITION BY e.id) DESC, e.id, r.code LIMIT 6`,
    )
    return rows
  } finally {
    await db.end()
  }
}

test('a file of scores with five errors is corrected and written; two scores are typed by hand', async () => {
  const say = wordsOf('id')
  const clerk = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('scores', [clerk], async () => {
    const seated = await findSeated()
    expect(seated).toHaveLength(6)
    const [first, second] = seated
    await signInAs(clerk, say, 'panitia')

    const send = async (lines: readonly string[]) => {
      await page.goto('/import-nilai-cbt')
      await pick(page, say('scores:send.wave'), first!.wave)
      const buffer = Buffer.from(['Kode,TPA', ...lines, ''].join('\n'))
      await page.locator('input[type=file]').setInputFiles({ name: 'nilai.csv', mimeType: 'text/csv', buffer })
      await page.waitForURL(/\/import-nilai-cbt\/[0-9a-f-]{36}/)
      await page.getByRole('button', { name: say('scores:mapping.check') }).click()
      await page.getByRole('button', { name: say('scores:mapping.again') }).waitFor()
    }
    const rightLines = seated.map(({ code }, index) => `${code},${90 + index}`)
    await send([
      ...rightLines.slice(0, 3),
      `${seated[3]!.code},101`,
      `${seated[4]!.code},-1`,
      `${seated[5]!.code},sembilan`,
      `${first!.code},50`,
      'TIDAK-ADA,60',
    ])
    await page
      .getByText(say('scores:problem.outside', { maximum: 100 }))
      .first()
      .waitFor()
    await page.getByText(say('scores:outcome.wrongText')).waitFor()
    expect(await page.getByText(/^[AB][5-9]/).count()).toBe(5)
    await checkPage('scores with five errors')

    await send(rightLines)
    await page.getByText(say('scores:outcome.ready')).waitFor()
    await page.getByRole('button', { name: say('scores:write', { count: 6 }) }).click()
    await page.getByRole('button', { name: say('scores:writeNow') }).click()
    await page.getByText(say('scores:status.done'), { exact: true }).first().waitFor()
    await checkPage('written scores')

    await page.goto(`/import-nilai-cbt/manual?session=${first!.session}&test=${first!.test}`)
    const input = (code: string) => page.locator('tr', { hasText: code }).locator('input')
    await input(first!.code).fill('77,5')
    await input(first!.code).press('Enter')
    await page.locator('tr', { hasText: first!.code }).getByText(say('scores:entry.saved')).waitFor()
    await input(second!.code).fill('500')
    await page.getByText(say('scores:entry.tooHigh', { maximum: 100 })).waitFor()
    await checkPage('scores by hand')
    await page.reload()
    expect(await input(first!.code).inputValue()).toBe('77,5')
    // What was typed and not saved is still there.
    expect(await input(second!.code).inputValue()).toBe('500')
  })
})
