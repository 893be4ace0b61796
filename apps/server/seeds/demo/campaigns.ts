import { sql } from 'kysely'

import { universityCalendar } from '#domain/calendar.ts'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { demoId, wavesAround } from '#seeds/demo/university.ts'
import { createCampaign } from '#server/modules/campaigns/save-campaign.ts'
import { continueCampaign, planCampaign } from '#server/modules/campaigns/steps.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const actorOf = (email: string, name: string, role: string): Actor => ({
  ...systemActor,
  ...{ accountId: demoId(`account:${email}`), email, name, language: 'id', role: { id: '', name: role } },
  permissions: new Set(['kirim-informasi-view', 'kirim-informasi-file-excel', 'marketing-kirim-informasi-view']),
})
const office = actorOf('panitia@demo.test', 'Panitia Contoh', 'Panitia PMB')
const marketing = actorOf('marketing@demo.test', 'Marketing Contoh', 'Marketing')

const templates = [
  {
    name: 'Pengingat biaya pendaftaran',
    audience: 'registrations',
    providerTemplate: 'pengingat_biaya',
    subjectId: 'Biaya pendaftaran {{code}}',
    subjectEn: 'Registration fee of {{code}}',
    bodyId: 'Halo {{name}}, biaya pendaftaran {{code}} sebesar {{amount}} kami tunggu sampai {{due}}.',
    bodyEn: 'Hello {{name}}, the fee of {{amount}} for registration {{code}} is due by {{due}}.',
  },
  {
    name: 'Undangan open house',
    audience: 'leads',
    providerTemplate: 'undangan_open_house',
    subjectId: 'Undangan open house {{university}}',
    subjectEn: 'Open house of {{university}}',
    bodyId: 'Halo {{name}}, kampus kami terbuka untuk Anda. Sampai jumpa di {{university}}!',
    bodyEn: 'Hello {{name}}, our campus is open for you. See you at {{university}}!',
  },
  {
    name: 'Terima kasih sudah berkunjung',
    audience: 'visitors',
    providerTemplate: null,
    subjectId: 'Terima kasih sudah datang ke {{event}}',
    subjectEn: 'Thank you for coming to {{event}}',
    bodyId: 'Halo {{name}}, terima kasih sudah datang ke {{event}}.',
    bodyEn: 'Hello {{name}}, thank you for coming to {{event}}.',
  },
] as const

const draftOf = (change: Partial<CampaignDraft> & Pick<CampaignDraft, 'name'>): CampaignDraft => ({
  ...{ audience: 'registrations', filters: {}, sheetId: null, purpose: 'service', ignoresQuietHours: false },
  ...{ channels: ['email', 'inbox'], templateId: null },
  ...{ subjectId: 'Kabar dari {{university}}', subjectEn: 'News from {{university}}' },
  bodyId: 'Yth. {{name}},\n\nsilakan periksa pendaftaran {{code}} Anda.',
  bodyEn: 'Dear {{name}},\n\nplease look at your registration {{code}}.',
  ...change,
})

/** Ten in the morning of the university's next day, outside the quiet hours. */
const tomorrowMorning = (now: Date) => {
  const { dayOf, startOfDay } = universityCalendar()
  return new Date(startOfDay(dayOf(new Date(now.getTime() + dayMs))).getTime() + 10 * hourMs)
}

type State = 'scheduled' | 'to_approve' | 'running' | 'paused' | 'finished'

/**
 * Adds campaigns in every state, as after weeks of work. None is sent: remaining recipients of the running one are due
 * tomorrow.
 */
export async function seedDemoCampaigns(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await seedTemplates(services)
  await seedAddresses(services)
  const sheetId = await seedSheet(services)
  const [firstWave, openWave] = await waveIdsOf(services)
  const templateId = demoId('campaign-template:Pengingat biaya pendaftaran')

  const at = (days: number): Services => ({
    ...services,
    clock: { ...clock, now: () => new Date(now.getTime() - days * dayMs) },
  })
  const plan = async (days: number, actor: Actor, draft: CampaignDraft) => {
    const past = at(days)
    const { id, version } = await createCampaign(past, actor, 'id', draft)
    await planCampaign(past, actor, { id, version, language: 'id' })
    return id
  }

  await finish(
    services,
    await plan(
      21,
      office,
      draftOf({
        name: 'Jadwal tes gelombang pertama',
        filters: { waveId: firstWave },
        channels: ['whatsapp', 'email'],
        ignoresQuietHours: true,
      }),
    ),
    21,
  )
  await finish(
    services,
    await plan(
      12,
      marketing,
      draftOf({
        ...{
          name: 'Undangan open house November',
          audience: 'leads',
          purpose: 'events',
          channels: ['whatsapp', 'email'],
        },
        ...{ bodyId: 'Halo {{name}}, mari berkunjung ke {{university}}.', bodyEn: 'Hello {{name}}, come and see us.' },
      }),
    ),
    12,
  )
  const reminder = draftOf({
    ...{
      name: 'Pengingat biaya pendaftaran',
      filters: { waveId: openWave, status: 'submitted' },
      channels: ['whatsapp', 'email'],
    },
    ...{ templateId, subjectId: templates[0].subjectId, subjectEn: templates[0].subjectEn },
    ...{ bodyId: templates[0].bodyId, bodyEn: templates[0].bodyEn },
  })
  const running = await plan(0, office, reminder)
  await setState(services, running, 'running', 0)
  await settle(services, running, { share: 0.4, now })
  await sql`UPDATE campaign_recipients SET due_at = ${tomorrowMorning(now)}
    WHERE campaign_id = ${running} AND state = 'planned'`.execute(db)

  const paused = await plan(
    3,
    marketing,
    draftOf({
      name: 'Ajakan memilih program studi',
      filters: { waveId: openWave, status: 'draft' },
      purpose: 'admission',
    }),
  )
  await setState(services, paused, 'paused', 3)
  await settle(services, paused, { share: 0.5, now: new Date(now.getTime() - 3 * dayMs) })
  await continueCampaign(at(2), marketing, { id: paused, version: await versionOf(services, paused), language: 'id' })

  const stopped = await plan(
    1,
    office,
    draftOf({ name: 'Kelengkapan berkas', filters: { waveId: openWave, documents: 'missing' } }),
  )
  await setState(services, stopped, 'paused', 1)
  await settle(services, stopped, { share: 0.2, now: new Date(now.getTime() - dayMs) })

  await setState(
    services,
    await plan(
      1,
      office,
      draftOf({ name: 'Pengumuman jam layanan akhir tahun', filters: { waveId: openWave }, channels: ['email'] }),
    ),
    'scheduled',
    -3,
  )
  await setState(
    services,
    await plan(
      0,
      office,
      draftOf({
        ...{ name: 'Undangan dari daftar sekolah', audience: 'sheet', sheetId, purpose: 'events' },
        ...{
          channels: ['whatsapp', 'email'],
          bodyId: 'Yth. {{name}}, kelas {{Kelas}}.',
          bodyEn: '{{name}}, {{Kelas}}.',
        },
      }),
    ),
    'to_approve',
    -2,
  )
  await createCampaign(
    services,
    office,
    'id',
    draftOf({
      name: 'Ucapan selamat untuk yang diterima',
      filters: { waveId: firstWave, result: 'accepted' },
      bodyId: '',
      bodyEn: '',
      channels: ['whatsapp'],
      templateId,
    }),
  )
}

/** The first wave of the demo, with published results, and the second, which is open. */
async function waveIdsOf({ db, clock }: Services): Promise<[first: string, open: string]> {
  const [first, open] = wavesAround(clock.now())
  const rows = await db
    .selectFrom('waves')
    .select(['id', 'code'])
    .where('code', 'in', [first.code, open.code])
    .execute()
  const idOf = (code: string) => rows.find((wave) => wave.code === code)!.id
  return [idOf(first.code), idOf(open.code)]
}

async function seedTemplates({ db, clock }: Services) {
  const now = clock.now()
  const by = { createdAt: now, createdBy: marketing.accountId, updatedAt: now, updatedBy: marketing.accountId }
  await db
    .insertInto('campaignTemplates')
    .values(templates.map((template) => ({ id: demoId(`campaign-template:${template.name}`), ...template, ...by })))
    .execute()
}

async function seedAddresses({ db, clock }: Services) {
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  await db
    .insertInto('suppressedAddresses')
    .values([
      ...['camaba21@demo.test', 'camaba48@demo.test', 'salah-ketik@demo.test'].map((address, index) => ({
        ...{ address, channel: 'email' as const, reason: 'bounced' as const, createdAt: ago(5 + index) },
        detail: '550 5.1.1 mailbox unavailable',
      })),
      {
        ...{ address: '+6281200000999', channel: 'whatsapp', reason: 'unreachable', createdAt: ago(9) },
        detail: 'Nomor tidak memakai WhatsApp',
      },
      {
        ...{ address: 'prospek6@demo.test', channel: 'email', reason: 'complained', createdAt: ago(11), detail: null },
        ...{ liftedAt: ago(2), liftedBy: marketing.accountId },
      },
    ])
    .execute()
  await db
    .insertInto('optOuts')
    .values([
      { address: 'camaba33@demo.test', purpose: 'admission', source: 'link', createdAt: ago(4) },
      { address: 'prospek9@demo.test', purpose: 'events', source: 'one_click', createdAt: ago(12) },
      { address: '+6281190001012', purpose: 'events', source: 'word', createdAt: ago(12) },
      { address: '+6281190001012', purpose: 'admission', source: 'word', createdAt: ago(12) },
      {
        ...{ address: '+6281190001018', purpose: 'admission', source: 'staff', createdAt: ago(6) },
        ...{ note: 'Meminta lewat telepon agar tidak dikirimi promosi.', createdBy: marketing.accountId },
      },
    ])
    .execute()
}

/** Adds a sheet of forty pupils; two of its rows have problems. */
async function seedSheet({ db, clock }: Services): Promise<string> {
  const { id } = await db
    .insertInto('campaignSheets')
    .values({
      ...{
        id: demoId('campaign-sheet'),
        fileName: 'daftar-siswa-contoh.xlsx',
        columns: ['Nama', 'No HP', 'Email', 'Kelas'],
      },
      ...{ phoneColumn: 'No HP', emailColumn: 'Email', nameColumn: 'Nama', languageColumn: null },
      ...{ rowCount: 40, problemCount: 2, invalidCount: 2, createdAt: clock.now(), createdBy: office.accountId },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('campaignSheetRows')
    .values(
      Array.from({ length: 40 }, (_, index) => {
        const name = `Siswa Contoh ${index + 1}`
        const isWrong = index === 12 || index === 27
        const phone = isWrong ? 'tidak ada' : `08120005${String(index).padStart(4, '0')}`
        const values = { Nama: name, 'No HP': phone, Kelas: `XII-${1 + (index % 4)}` }
        return {
          ...{ sheetId: id, number: index + 2, name, language: null, email: null, values: JSON.stringify(values) },
          phone: isWrong ? null : `+62${phone.slice(1)}`,
          isInvalid: isWrong,
          problems: isWrong ? JSON.stringify([{ column: 'No HP', code: 'phone_invalid', value: phone }]) : null,
        }
      }),
    )
    .execute()
  return id
}

const versionOf = ({ db }: Services, id: string) =>
  db
    .selectFrom('campaigns')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ version }) => version)

/** Steps that lead a planned campaign to each state, by staff or by the sender. */
const stepsTo: Record<State, readonly string[]> = {
  scheduled: ['release'],
  to_approve: ['release'],
  running: ['release', 'start'],
  paused: ['release', 'start', 'pause'],
  finished: ['release', 'start', 'finish'],
}

/** Puts a planned campaign into a state reached `daysAgo` days ago; a negative number starts it in that many days. */
async function setState({ db, clock }: Services, id: string, state: State, daysAgo: number) {
  const now = clock.now()
  const at = new Date(now.getTime() - daysAgo * dayMs)
  const hasStarted = state === 'running' || state === 'paused' || state === 'finished'
  const { createdBy } = await db
    .updateTable('campaigns')
    .set((eb) => ({
      ...{ state, releasedAt: daysAgo > 0 ? at : now, releasedBy: eb.ref('createdBy') },
      startsAt: daysAgo < 0 ? at : null,
      startedAt: hasStarted ? at : null,
      endedAt: state === 'finished' ? new Date(at.getTime() + hourMs) : null,
    }))
    .where('id', '=', id)
    .returning('createdBy')
    .executeTakeFirstOrThrow()
  const maker = createdBy === office.accountId ? office : marketing
  for (const step of stepsTo[state])
    await recordAudit(db, step === 'start' || step === 'finish' ? systemActor : maker, {
      action: `campaign.${step}`,
      on: { campaign: id },
    })
}

async function finish(services: Services, id: string, daysAgo: number) {
  await setState(services, id, 'finished', daysAgo)
  await settle(services, id, { share: 1, now: new Date(services.clock.now().getTime() - daysAgo * dayMs) })
}

/**
 * Sets results for the first `share` of the recipients: most messages were read or delivered. A failed message is
 * followed by the next channel, as the sender does, so only people without a further channel stay failed.
 */
async function settle({ db }: Services, id: string, { share, now }: { share: number; now: Date }) {
  // Otherwise the planner expects one recipient and compares every recipient with every other.
  await sql`ANALYZE campaign_recipients`.execute(db)
  await sql`
    WITH chosen AS (
      SELECT number, channels, phone, email FROM campaign_recipients WHERE campaign_id = ${id} AND state = 'planned'
        AND number <= ${share}::float8 * (SELECT count(*) FROM campaign_recipients WHERE campaign_id = ${id})),
    steps AS (
      SELECT c.*, s.channel, s.place, CASE s.channel WHEN 'whatsapp' THEN number % 29 = 0
          WHEN 'email' THEN number % 58 = 0 ELSE false END AS fails
      FROM chosen c CROSS JOIN unnest(c.channels) WITH ORDINALITY AS s(channel, place)),
    tries AS MATERIALIZED (
      SELECT *, gen_random_uuid() AS handover, CASE
          WHEN fails THEN 'failed' WHEN channel = 'inbox' THEN CASE WHEN number % 3 = 0 THEN 'read' ELSE 'delivered' END
          WHEN number % 61 = 0 THEN 'uncertain' WHEN channel = 'email' THEN 'accepted'
          WHEN number % 5 < 3 THEN 'read' ELSE 'delivered' END AS state,
        CASE WHEN fails THEN CASE channel WHEN 'email' THEN 'refused' ELSE 'not_on_whatsapp' END END AS reason
      FROM (SELECT *, coalesce(min(place) FILTER (WHERE NOT fails) OVER (PARTITION BY number),
          max(place) OVER (PARTITION BY number)) AS last_place FROM steps) AS placed
      WHERE place <= last_place),
    advanced AS (
      UPDATE campaign_recipients r SET state = c.state, handover_id = c.handover, attempts = c.place, due_at = NULL,
        reason = c.reason, channels = c.channels[c.place:],
        state_at = ${now}::timestamptz + make_interval(mins => (c.number % 50)::int)
      FROM tries c WHERE r.campaign_id = ${id} AND r.number = c.number AND c.place = c.last_place)
    INSERT INTO handovers (id, campaign_id, number, channel, address, state, reason, handed_at, state_at)
    SELECT handover, ${id}, number, channel, CASE channel WHEN 'email' THEN email WHEN 'whatsapp' THEN phone END, state,
      reason, ${now}::timestamptz + make_interval(secs => number % 1800),
      ${now}::timestamptz + make_interval(mins => (number % 50)::int)
    FROM tries`.execute(db)
}
