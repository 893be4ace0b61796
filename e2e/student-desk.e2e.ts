import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

async function inDatabase<T extends pg.QueryResultRow>(query: string, values: unknown[] = []) {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    return (await db.query<T>(query, values)).rows
  } finally {
    await db.end()
  }
}

/** Number and jacket size of a demo student. */
async function someStudent() {
  const [student] = await inDatabase<{ npm: string; size: string }>(
    `SELECT s.npm, a.clothes_size AS size FROM students s JOIN registrations r ON r.id = s.registration_id
     JOIN applicants a ON a.id = r.applicant_id WHERE r.status = 'enrolled' AND a.clothes_size = 'L' ORDER BY s.npm LIMIT 1`,
  )
  return student!
}

const stockMoves = (size: string, quantity: number) =>
  inDatabase(
    `INSERT INTO jacket_movements (kind, size, quantity, reason, at) VALUES ('correction', $1, $2, 'Other desk', now())`,
    [size, quantity],
  )

test('a delivery fills the stock; a jacket is handed out against a signature and exchanged; photos are reviewed', async () => {
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
    await goTo(page, '/jaket-mahasiswa')
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

    await goTo(page, '/jaket-mahasiswa/create')
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

    // The stock changes while a clerk counts: the typed count stays, beside the current stock.
    await goTo(page, '/jaket-mahasiswa/stok')
    await page.getByRole('button', { name: say('jackets:count.open') }).click()
    await dialog.getByRole('combobox', { name: say('jackets:count.size') }).click()
    await page.getByRole('option', { name: 'XXL', exact: true }).click()
    await dialog.getByText(say('jackets:count.onHand', { count: 0 })).waitFor()
    await stockMoves('XXL', 3)
    await dialog.getByLabel(say('jackets:count.counted')).fill('4')
    await dialog.getByLabel(say('jackets:count.reason')).fill('Found one behind the shelf')
    await dialog.getByRole('button', { name: say('jackets:count.confirm') }).click()
    await dialog.getByText(say('errors:jacket_stock_moved', { size: 'XXL', count: 3 })).waitFor()
    await dialog.getByText(say('jackets:count.onHand', { count: 3 })).waitFor()
    await checkPage('count of a stock that moved')
    await dialog.getByRole('button', { name: say('jackets:count.confirm') }).click()
    await page.getByText(say('jackets:count.done', { size: 'XXL', count: 4 })).waitFor()

    await goTo(page, '/download-foto-mahasiswa')
    await page.getByRole('link', { name: say('photos:download.unusable') }).click()
    await page.getByText(say('photos:state.missing')).first().waitFor()
    await checkPage('photos of students')
    await goTo(page, '/sim-mahasiswa')
    await page.getByText(say('licences:empty')).waitFor()
    await checkPage('driving licences')
  })
})
