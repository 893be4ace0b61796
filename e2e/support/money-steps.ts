import pg from 'pg'
import { demoPassword } from '#seeds/demo/university.ts'
import { wordsOf } from './words.ts'
import type { Person, World } from './world.ts'

const say = wordsOf('id')
const p = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)

/** Calls the API as a demo account, for steps the journey does not test. */
export async function as(world: World, account: string) {
  const send = async (method: string, path: string, token?: string, body?: object) => {
    const answer = await fetch(`${world.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const email = `${account}@demo.test`
  const { access_token } = await send('POST', '/login', undefined, { email, password: demoPassword })
  return (method: string, path: string, body?: object) => send(method, path, access_token, body)
}

/** An applicant of the demo whose registration matches the SQL condition. */
export async function someoneWho(
  world: World,
  where: string,
): Promise<{ account: string; registration: string; name: string }> {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows } = await db.query(
      `SELECT split_part(a.email, '@', 1) AS account, '/pendaftaran/' || r.id AS registration, p.full_name AS name
       FROM registrations r JOIN accounts a ON a.id = r.account_id JOIN applicants p ON p.id = r.applicant_id
       WHERE a.email LIKE 'camaba%' AND ${where} ORDER BY a.email LIMIT 1`,
    )
    if (!rows[0]) throw new Error(`Nobody of the demo who ${where}`)
    return rows[0]
  } finally {
    await db.end()
  }
}

/** Opens the counter of the demo bank with the number on the payment page. */
export async function atTheBank({ page }: Person, registration: string) {
  await page.goto(`${registration}/pembayaran`)
  await page.getByRole('heading', { name: p('history.title') }).waitFor()
  // Later instalments are collapsed below the current one.
  const laterTerms = page.locator('summary')
  if (await laterTerms.isVisible()) await laterTerms.click()
  const request = page.getByRole('button', { name: p('account.request') })
  const demo = page.getByRole('link', { name: p('account.openDemo') })
  await request.or(demo).first().waitFor()
  if (await request.isVisible()) await request.click()
  await demo.waitFor()
  const counter = (await demo.getAttribute('href'))!
  await page.goto(counter)
  return counter
}

export async function pay({ page }: Person, button: string | RegExp) {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByText(p('sandbox.answerOk', { status: 200 })).waitFor()
}

export async function approveFirst({ page, checkPage }: Person, name: string, kind = '') {
  await page.goto(`/persetujuan?status=pending${kind && `&kind=${kind}`}`)
  await page
    .getByRole('row', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByLabel(say('approvals:approval.say')).fill('Sesuai bukti')
  await checkPage('persetujuan: one request')
  await page.getByRole('button', { name: say('approvals:approval.approve'), exact: true }).click()
  // A filter has the same word and exists before the answer arrives.
  await page.getByRole('alert').getByText(say('approvals:approval.done.approve'), { exact: true }).waitFor()
}
