import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

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

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const value = await read()
    if (isDone(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('nothing came')
}

/** Takes a picture if E2E_PICTURES names a folder. */
async function picture({ page }: Person, name: string) {
  const folder = process.env.E2E_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test("a visitor arrives by an affiliate’s link, and the new account has the affiliate's code", async () => {
  const say = wordsOf('id')
  const visitor = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = visitor
  await world.keepPicturesOnFailure('affiliate-link', [visitor], async () => {
    await goTo(page, '/afiliator')
    await page.getByLabel(say('affiliates:public.search')).fill('sari')
    await page.getByRole('link', { name: 'Sari Percontohan' }).waitFor()
    await checkPage('affiliates')
    await picture(visitor, 'affiliates-360')
    await goTo(page, '/afiliator/sari-percontohan?ref=SARI26')
    await page.getByRole('heading', { name: 'Sari Percontohan' }).waitFor()
    await checkPage('page of an affiliate')
    await picture(visitor, 'affiliate-360')
    // Later, on the same device, without the link.
    await page.goto('/sign-up')
    await page.getByText(say('accounts:signUp.referral', { code: 'SARI26' })).waitFor()
    await page.getByLabel(say('accounts:fields.name'), { exact: true }).fill('Tamu Contoh')
    await page.getByLabel(say('accounts:fields.email'), { exact: true }).fill('tamu@contoh.test')
    await page.getByLabel(say('accounts:fields.phone'), { exact: true }).fill('0812 9999 0002')
    await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill('Perjalanan-1!')
    await page.getByLabel(say('accounts:fields.repeatPassword'), { exact: true }).fill('Perjalanan-1!')
    await page.getByRole('checkbox').check()
    await page.locator('form button[type=submit]').click()
    const [touch] = await until(
      () =>
        inDatabase<{ outcome: string; code: string }>(
          `SELECT t.outcome, f.code FROM affiliate_touches t JOIN affiliates f ON f.id = t.affiliate_id
           JOIN accounts a ON a.id = t.account_id WHERE a.email = 'tamu@contoh.test' AND lower(a.referral_code) = lower(f.code)`,
        ),
      (rows) => rows.length > 0,
    )
    expect(touch).toEqual({ outcome: 'won', code: 'SARI26' })
  })
})

test('commission is held, clawed back and paid out by two people, and the affiliate sees each result', async () => {
  const say = wordsOf('en')
  const finance = await world.person({ width: 1280, language: 'en' })
  const affiliate = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('commission', [finance, affiliate], async () => {
    const { page, checkPage } = finance
    await signInAs(finance, say, 'keuangan')
    for (const [path, name] of [
      ['/komisi', 'ledger of commission'],
      ['/komisi/saldo', 'balances of affiliates'],
      ['/komisi/aturan', 'rules of commission'],
    ] as const) {
      await goTo(page, path)
      await page.getByRole('table').waitFor()
      await checkPage(name)
      await picture(finance, `${name.replaceAll(' ', '-')}-1280`)
    }
    await page.getByRole('button', { name: say('affiliates:rules.add') }).click()
    const rule = page.getByRole('dialog')
    await rule.getByLabel(say('affiliates:rules.amount'), { exact: true }).fill('50000')
    await rule.getByRole('textbox').last().fill('New season')
    await checkPage('new rule of commission')
    await picture(finance, 'rule-1280')
    await rule.getByRole('button', { name: say('affiliates:rules.save') }).click()
    await page.getByText(say('affiliates:ruleState.pending')).first().waitFor()

    await goTo(page, '/komisi/ditahan?state=open')
    await page.getByRole('table').waitFor()
    await checkPage('held commission')
    await page.getByRole('table').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: say('affiliates:holds.takeBack') }).click()
    const hold = page.getByRole('dialog')
    await hold.getByRole('textbox').fill('The same phone')
    await hold.getByRole('button', { name: say('affiliates:holds.takeBack') }).click()
    await page.getByText(say('affiliates:holds.takenBack')).waitFor()

    await goTo(page, '/komisi/pencairan?status=frozen')
    await page.getByRole('link', { name: /KMS-/ }).first().click()
    await page.getByText(say('affiliates:payouts.taxNote')).waitFor()
    await checkPage('payout of commission')
    await picture(finance, 'payout-1280')
    await page.getByRole('button', { name: say('affiliates:payouts.approve'), exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('affiliates:payouts.approve'), exact: true })
      .click()
    await page.getByRole('button', { name: say('affiliates:payouts.paid') }).click()
    await page.getByRole('dialog').getByLabel(say('affiliates:payouts.reference')).fill('TRF-2')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('affiliates:payouts.paid') })
      .click()
    await page.locator('[data-tone="done"]', { hasText: say('affiliates:payoutState.paid') }).waitFor()
    await checkPage('paid payout')

    const kata = wordsOf('id')
    await signInAs(affiliate, kata, 'afiliator')
    await goTo(affiliate.page, '/afiliator-saya')
    await affiliate.page.getByText(kata('affiliates:own.shareTitle')).first().waitFor()
    await affiliate.page.getByText(kata('affiliates:own.people')).first().waitFor()
    await affiliate.checkPage('own part of an affiliate')
    await picture(affiliate, 'own-360')
    expect(await affiliate.page.locator('body').textContent()).not.toMatch(/\+62|@demo\.test \d/)
  })
})

test('marketing turns a request into an affiliate on a phone, and reads the account and every commission list there', async () => {
  const say = wordsOf('id')
  const marketing = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = marketing
  await world.keepPicturesOnFailure('affiliate-request', [marketing], async () => {
    await signInAs(marketing, say, 'marketing')
    for (const [path, name] of [
      ['/komisi', 'staff-titles:komisi'],
      ['/komisi/saldo', 'staff-titles:komisi-saldo'],
      ['/komisi/ditahan', 'staff-titles:komisi-ditahan'],
      ['/komisi/aturan', 'staff-titles:komisi-aturan'],
      ['/komisi/pencairan', 'staff-titles:komisi-pencairan'],
    ] as const) {
      await goTo(page, path)
      await page.getByRole('heading', { level: 1, name: say(name) }).waitFor()
      await checkPage(`${path} on a phone`)
      await picture(marketing, `${path.slice(1).replaceAll('/', '-')}-360`)
    }
    await goTo(page, '/komisi/permohonan?status=pending')
    const [request] = await inDatabase<{ name: string }>(
      `SELECT name FROM affiliate_applications WHERE status = 'pending' LIMIT 1`,
    )
    await page.getByText(request!.name).first().waitFor()
    await checkPage('requests of affiliates')
    await page
      .getByRole('button', { name: new RegExp(request!.name) })
      .last()
      .click()
    await page.getByRole('menuitem', { name: say('affiliates:applications.approve') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('BARU27')
    await checkPage('request of an affiliate')
    await dialog.getByRole('button', { name: say('affiliates:applications.approve') }).click()
    await page.getByText(say('affiliates:applications.approved', { name: request!.name })).waitFor()
    const [affiliate] = await inDatabase<{ id: string }>(`SELECT id FROM affiliates WHERE code = 'BARU27'`)
    await goTo(page, `/master/afiliator/${affiliate!.id}`)
    await page.getByText(say('affiliates:link.title')).first().waitFor()
    await checkPage('account of an affiliate')
    await picture(marketing, 'account-360')
  })
})
