import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

/** Number and jacket size of a student of the demo. */
async function someStudent() {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows } = await db.query<{ npm: string; size: string }>(
      `SELECT s.npm, a.clothes_size AS size FROM students s JOIN registrations r ON r.id = s.registration_id
       JOIN applicants a ON a.id = r.applicant_id WHERE r.status = 'enrolled' AND a.clothes_size = 'L' ORDER BY s.npm LIMIT 1`,
    )
    return rows[0]!
  } finally {
    await db.end()
  }
}

test('a delivery fills the stock; a jacket is handed out against a signature and exchanged; photos are looked through', async () => {
  const say = wordsOf('en')
  const clerk = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = clerk
  const sign = async () => {
    const pad = (await page.getByRole('img', { name: say('jackets:signature.label') }).boundingBox())!
    await page.mouse.move(pad.x + 40, pad.y + 30)
    await page.mouse.down()
    for (const [x, y] of [
      [120, 80],
      [200, 40],
      [300, 90],
    ] as const)
      await page.mouse.move(pad.x + x, pad.y + y)
    await page.mouse.up()
  }
  await world.keepPicturesOnFailure('student-desk', [clerk], async () => {
    const { npm, size } = await someStudent()
    await signInAs(clerk, say, 'panitia')
    await page.goto('/jaket-mahasiswa')
    await page.getByRole('link', { name: npm }).or(page.getByText(npm)).first().waitFor()
    await checkPage('jackets of students')
    await page.getByRole('link', { name: say('jackets:open.stock') }).click()
    await page.getByRole('button', { name: say('jackets:delivery.open') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(say('jackets:delivery.supplier')).fill('Konveksi Maju')
    await dialog.getByLabel(say('jackets:delivery.reference')).fill('SJ/17')
    await dialog.getByLabel(say('jackets:delivery.quantity', { size })).fill('2')
    await dialog.getByLabel(say('jackets:delivery.quantity', { size: 'XL' }), { exact: true }).fill('1')
    await checkPage('delivery of jackets')
    await dialog.getByRole('button', { name: say('jackets:delivery.confirm') }).click()
    await page.getByText('Konveksi Maju · SJ/17').first().waitFor()
    await checkPage('stock of jackets')

    await page.goto('/jaket-mahasiswa/create')
    await page.getByLabel(say('jackets:desk.code')).fill(npm)
    await page.getByRole('button', { name: say('jackets:desk.find') }).click()
    await page.getByRole('button', { name: say('jackets:desk.confirm') }).click()
    await page.getByText(say('errors:jacket_signature_missing')).waitFor()
    await sign()
    await checkPage('desk with a signature')
    await page.getByRole('button', { name: say('jackets:desk.confirm') }).click()
    await page.getByRole('link', { name: say('jackets:desk.openJacket') }).click()

    await page.getByRole('img', { name: /^Signature given/ }).waitFor()
    await page.getByRole('button', { name: say('jackets:detail.exchange') }).click()
    await dialog.getByLabel(say('jackets:reason')).fill('Too small')
    await dialog.getByRole('combobox', { name: say('jackets:desk.size') }).click()
    await page
      .getByRole('option', { name: say('jackets:desk.sizeLeft', { size: 'XL', count: 1 }), exact: true })
      .click()
    await sign()
    await dialog.getByRole('button', { name: say('jackets:exchange.confirm') }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(/Too small/).waitFor()
    await checkPage('jacket of a student')

    await page.goto('/download-foto-mahasiswa')
    await page.getByRole('link', { name: say('photos:download.unusable') }).click()
    await page.getByText(say('photos:state.missing')).first().waitFor()
    await checkPage('photos of students')
    await page.goto('/sim-mahasiswa')
    await page.getByText(say('licences:empty')).waitFor()
    await checkPage('driving licences')
  })
})
