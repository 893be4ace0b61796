import type pg from 'pg'
import { permissions } from '#domain/access/permissions.ts'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { previewCampaign } from '#server/modules/campaigns/plan/preview.ts'
import { createCampaign } from '#server/modules/campaigns/save-campaign.ts'
import { planCampaign } from '#server/modules/campaigns/steps.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Case } from '../measure.ts'
import { type OwnProduct, ownProduct } from '../own-product.ts'

/** People per round and side. */
const people = Number(process.env.BENCH_RECIPIENTS ?? 100_000)
/** The product's goal, in seconds for 100,000 recipients. */
const goalSeconds = 5

type Ready = OwnProduct & { actor: Actor; sheetId: string }

async function prepare(): Promise<Ready> {
  const own = await ownProduct('planning', people)
  const { db } = own
  const { rows } = await db.query<{ id: string; roleId: string }>(
    `SELECT id, role_id AS "roleId" FROM accounts WHERE email = 'administrator@demo.test'`,
  )
  const { id: accountId, roleId } = rows[0]!
  const actor: Actor = {
    ...{ accountId, sessionId: '', name: 'Administrator', email: 'administrator@demo.test', emailVerified: true },
    ...{ language: 'id', role: { id: roleId, name: 'Administrator' }, scope: { kind: 'all' } },
    permissions: new Set(permissions.map(({ slug }) => slug)),
  }
  const sheetId = await fillSheet(db, accountId)
  // One person in fifty has opted out, and one address in a hundred has bounced.
  await db.query(`INSERT INTO opt_outs (address, purpose, source, created_at)
    SELECT email_lower, 'admission', 'link', now() FROM accounts WHERE hashtext(email_lower) % 50 = 0`)
  await db.query(`INSERT INTO suppressed_addresses (address, channel, reason, created_at)
    SELECT email_lower, 'email', 'bounced', now() FROM accounts WHERE hashtext(email_lower) % 100 = 1`)
  await db.query('VACUUM ANALYZE')
  return { ...own, actor, sheetId }
}

async function fillSheet(db: pg.Client, accountId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO campaign_sheets (file_name, columns, phone_column, name_column, row_count, problem_count, created_at, created_by)
     VALUES ('besar.csv', ARRAY['Nama', 'HP', 'Kelas'], 'HP', 'Nama', $1, 0, now(), $2) RETURNING id`,
    [people, accountId],
  )
  await db.query(
    `INSERT INTO campaign_sheet_rows (sheet_id, number, name, phone, email, values)
     SELECT $1, n + 1, 'Siswa ' || n, '+62812' || lpad(n::text, 8, '0'), 'siswa-' || n || '@example.com',
       jsonb_build_object('Nama', 'Siswa ' || n, 'HP', n, 'Kelas', 'XII-' || n % 9) FROM generate_series(1, $2::int) n`,
    [rows[0]!.id, people],
  )
  return rows[0]!.id
}

let ready: Promise<Ready> | undefined
const isReady = () => {
  ready ??= prepare()
  return ready
}

const draftOf = (change: Partial<CampaignDraft>): CampaignDraft => ({
  ...{ name: 'Pengumuman besar', audience: 'registrations', filters: {}, sheetId: null, purpose: 'admission' },
  ...{ ignoresQuietHours: false, channels: ['whatsapp', 'email', 'inbox'], templateId: null },
  ...{ subjectId: 'Kabar untuk {{name}}', subjectEn: 'News for {{name}}' },
  ...{
    bodyId: '{{name}}, {{code}} di {{programme}}, {{wave}}.',
    bodyEn: '{{name}}, {{code}}, {{programme}}, {{wave}}.',
  },
  ...change,
})

async function secondsOf(work: () => Promise<unknown>) {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1_000
}

/** Plans a campaign for every registration, and prints the time of a preview and of a sheet with as many rows. */
async function planOnce({ db, product: { services }, actor, sheetId }: Ready): Promise<number> {
  await db.query('DELETE FROM campaigns')
  await db.query('VACUUM ANALYZE campaign_recipients')
  await db.query('CHECKPOINT')
  const sheetDraft = draftOf({
    ...{ audience: 'sheet', sheetId, channels: ['whatsapp', 'email'], bodyId: '{{Kelas}}', bodyEn: '{{Kelas}}' },
  })
  const planTimes: number[] = []
  for (const draft of [draftOf({}), sheetDraft]) {
    const { id, version } = await createCampaign(services, actor, 'id', draft)
    planTimes.push(await secondsOf(() => planCampaign(services, actor, { id, version, language: 'id' })))
  }
  const { name: _name, ...question } = draftOf({})
  const previewTime = await secondsOf(() => previewCampaign(services, actor, 'id', { ...question, parentId: null }))
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM campaign_recipients GROUP BY campaign_id ORDER BY 1',
  )
  const [registrationTime, sheetTime] = planTimes as [number, number]
  console.log(
    `${rows.map(({ count }) => count.toLocaleString('en')).join(' and ')} recipients planned: registrations in ${registrationTime.toFixed(1)} s, a sheet in ${sheetTime.toFixed(1)} s; preview in ${previewTime.toFixed(1)} s`,
  )
  const goal = (goalSeconds * people) / 100_000
  if (Math.max(...planTimes) > goal) throw new Error(`goal: ${goalSeconds} s for 100,000 recipients`)
  return registrationTime
}

/** The same rows by one statement, without checking addresses, opt-outs, repetitions and missing values. */
const byHand = `INSERT INTO campaign_recipients (campaign_id, number, source_id, account_id, registration_id, name, language,
    time_zone, phone, email, values, channels, state, due_at, state_at)
  SELECT $1, row_number() OVER (ORDER BY r.created_at), r.id, c.id, r.id, a.full_name, c.language, 'Asia/Jakarta', a.phone, c.email,
    jsonb_build_object('code', r.code, 'programme', p.name, 'wave', w.name), ARRAY['whatsapp', 'email', 'inbox'], 'planned',
    now(), now()
  FROM (SELECT DISTINCT ON (account_id) id FROM registrations ORDER BY account_id, created_at DESC) n
    JOIN registrations r ON r.id = n.id JOIN applicants a ON a.id = r.applicant_id JOIN accounts c ON c.id = r.account_id
    JOIN waves w ON w.id = r.wave_id LEFT JOIN study_programmes p ON p.id = r.programme_id`

/** Recipients from 100,000 registrations checked and frozen, against a bare INSERT … SELECT. */
export const campaignPlanningCase: Case = {
  ownDatabase: true,
  goal: 0.3,
  unit: 'recipients/s',
  ours: async () => people / (await planOnce(await isReady())),
  async theirs() {
    const { db, actor } = await isReady()
    await db.query('DELETE FROM campaigns')
    await db.query('VACUUM ANALYZE campaign_recipients')
    await db.query('CHECKPOINT')
    const { rows } = await db.query<{ id: string }>(
      `INSERT INTO campaigns (name, audience, purpose, channels, created_at, created_by, updated_at)
       VALUES ('Tangan', 'registrations', 'admission', ARRAY['email'], now(), $1, now()) RETURNING id`,
      [actor.accountId],
    )
    return people / (await secondsOf(() => db.query(byHand, [rows[0]!.id])))
  },
  close: async () => (await ready)?.stop(),
}
