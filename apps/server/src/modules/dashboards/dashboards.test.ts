import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { type CardKey, cardKeys } from '#domain/dashboards/cards.ts'
import type { CardAnswer } from '#domain/dashboards/endpoints.ts'
import { keepSeasons } from '#server/modules/seasons/keep-seasons.ts'
import { settleAnswers } from '#server/platform/kept-answers.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { cardReadings } from './cards.ts'

let t: TestApp
let programmeIds: string[]
const readers: Record<string, TestActor> = {}
const minuteMs = 60_000

beforeAll(async () => {
  t = await demoApp()
  await keepSeasons(t.db, { now: t.clock.now() })
  const { rows } = await sql<{ id: string }>`SELECT programme_id AS id FROM registrations WHERE programme_id IS NOT NULL
    GROUP BY 1 ORDER BY count(*) DESC LIMIT 2`.execute(t.db)
  programmeIds = rows.map(({ id }) => id)
  for (const role of ['Administrator', 'Panitia PMB', 'Keuangan', 'Marketing', 'Pimpinan'])
    readers[role] = await asStaff(t, role)
  const scope = { programmeIds }
  const ofPimpinan = await permissionsOf('Pimpinan')
  readers.dean = await asWithPermissions(t, ofPimpinan, scope)
  readers['office of a faculty'] = await asWithPermissions(t, await permissionsOf('Panitia PMB'), scope)
  readers['reviewer who sees no unpublished decision'] = await asWithPermissions(
    t,
    (await permissionsOf('Panitia PMB')).filter(
      (slug) => !['pendaftaran-decide', 'pendaftaran-publish'].includes(slug),
    ),
    scope,
  )
}, 240_000)
afterAll(() => t?.close())
afterEach(async () => {
  await settleAnswers(t.db)
  vi.restoreAllMocks()
  t.clock.reset()
})

async function permissionsOf(role: string) {
  const { rows } = await sql<{
    permission: string
  }>`SELECT permission FROM role_permissions p JOIN roles r ON r.id = p.role_id
    WHERE r.name = ${role}`.execute(t.db)
  return rows.map(({ permission }) => permission)
}

const cardsOf = async (reader: TestActor): Promise<CardKey[]> => (await reader.get('/dashboard/cards')).json().data
async function read(reader: TestActor, key: CardKey): Promise<CardAnswer> {
  const answer = await reader.get(`/dashboard/cards/${key}`)
  expect(answer.statusCode, `${key} ${answer.body}`).toBe(200)
  return answer.json()
}
const forget = () => sql`DELETE FROM kept_cards`.execute(t.db)

describe('the cards of a reader', () => {
  it.each([
    ['Pimpinan', ['season', 'funnel', 'fill', 'forecast', 'stuck', 'money-in', 'receivables', 'unreconciled']],
    ['Panitia PMB', ['waiting', 'tests-today', 'documents-today', 'deadlines', 'season', 'funnel']],
    ['Keuangan', ['money-in', 'receivables', 'waiting-money', 'unreconciled', 'approvals']],
    ['Marketing', ['sources', 'schools', 'vouchers', 'lead-calls', 'conversion', 'season', 'funnel', 'fill']],
  ])('%s has the cards of their own work first', async (role, first) => {
    const keys = await cardsOf(readers[role]!)
    expect(keys.slice(0, first.length)).toEqual(first)
  })

  it('open if listed, and only then', async () => {
    for (const [name, reader] of Object.entries(readers)) {
      const listed = await cardsOf(reader)
      for (const key of cardKeys) {
        const { statusCode, body } = await reader.get(`/dashboard/cards/${key}`)
        const expected = listed.includes(key) ? [200] : [403, 404]
        expect(expected, `${name} ${key} ${body}`).toContain(statusCode)
      }
    }
  })

  it('are none for an applicant and for staff without permissions', async () => {
    for (const someone of [await asApplicant(t), await asWithPermissions(t, [])]) {
      expect(await cardsOf(someone)).toEqual([])
      for (const key of cardKeys) expect((await someone.get(`/dashboard/cards/${key}`)).statusCode).toBe(403)
    }
  })

  it('of a dean leave out days of bank statements', async () => {
    expect(await cardsOf(readers.dean!)).not.toContain('unreconciled')
    expect((await readers.dean!.get('/dashboard/cards/unreconciled')).statusCode).toBe(403)
  })
})

/** Number of rows, and rupiah, of the page at an address of the web client. */
async function opened(reader: TestActor, to: string): Promise<{ total: number; sum: number | null }> {
  const [path = '', search = ''] = to.split('?')
  const query = new URLSearchParams(search)
  const report = /^\/laporan\/(.+)/.exec(path)?.[1]
  if (report) {
    query.set('figure', query.get('rows')!)
    query.delete('rows')
  }
  const answer = await reader.get(`${report ? `/reports/${report}/rows` : path}?${query}`)
  expect(answer.statusCode, `${to} ${answer.body}`).toBe(200)
  const { meta } = answer.json()
  return { total: meta.total, sum: report ? meta.sum : (meta.sums?.amount ?? null) }
}

async function allRows(reader: TestActor, path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await reader.get(`${path}&per_page=100&page=${page}`)).json()
    rows.push(...data)
    if (data.length === 0 || rows.length >= meta.total) return rows
  }
}

describe('a figure and the page it opens', () => {
  it('agree on every card, for every reader', async () => {
    await forget()
    let compared = 0
    for (const [name, reader] of Object.entries(readers))
      for (const key of await cardsOf(reader)) {
        const { data } = await read(reader, key)
        const lines = data.lines.map(({ values, to }) => ({ value: values[0], to, kind: data.columns[0]?.kind }))
        for (const { value, to, kind } of [...data.figures, ...lines]) {
          if (!to?.includes('?') || value === null || value === undefined) continue
          const { total, sum } = await opened(reader, to)
          expect(kind === 'money' ? sum : total, `${name} ${key} ${to}`).toBe(value)
          compared++
        }
      }
    expect(compared).toBeGreaterThan(150)
  }, 120_000)

  it('agree on the tiles and statuses above the cards, for every reader', async () => {
    for (const [name, reader] of Object.entries(readers)) {
      if (!(await reader.get('/auth/permissions')).body.includes('"pendaftaran-view"')) continue
      const { data } = (await reader.get('/dashboard')).json()
      const tiles = {
        documents: data.documentsToReview,
        decision: data.waitingForDecision,
        confirmation: data.waitingForConfirmation,
        today: data.newToday,
      }
      for (const [queue, count] of Object.entries(tiles))
        expect((await opened(reader, `/pendaftaran?queue=${queue}`)).total, `${name} ${queue}`).toBe(count)
      for (const { status, count } of data.byStatus)
        expect((await opened(reader, `/pendaftaran?queue=current&status=${status}`)).total, `${name} ${status}`).toBe(
          count,
        )
    }
  })

  it('agree on registrations with waiting documents, in the queue and in the list of documents', async () => {
    let compared = 0
    for (const [name, reader] of Object.entries(readers)) {
      const permissions = (await reader.get('/auth/permissions')).body
      if (
        !['pendaftaran-view', 'pendaftaran-verify', 'berkas-mahasiswa-view'].every((slug) =>
          permissions.includes(`"${slug}"`),
        )
      )
        continue
      const queue = await allRows(reader, '/pendaftaran?queue=documents')
      const documents = await allRows(reader, '/berkas-mahasiswa?state=uploaded&stage=registration')
      const waiting = documents.filter(({ isConfirmed }) => !isConfirmed)
      expect(new Set(waiting.map(({ registrationId }) => registrationId)), name).toEqual(
        new Set(queue.map(({ id }) => id)),
      )
      compared += queue.length
    }
    expect(compared).toBeGreaterThan(0)
  })

  it('agree on waiting conversations, for every reader of the chat', async () => {
    let compared = 0
    for (const [name, reader] of Object.entries(readers)) {
      const answer = await reader.get('/chat/waiting')
      if (answer.statusCode === 403) continue
      const { waiting } = answer.json().data
      expect((await opened(reader, '/chat/conversations?box=waiting')).total, name).toBe(waiting)
      compared += waiting
    }
    expect(compared).toBeGreaterThan(0)
  })

  it('count each waiting registration under exactly one age', async () => {
    const { data } = await read(readers['Panitia PMB']!, 'waiting')
    for (const { values } of data.lines) expect(values[1]! + values[2]! + values[3]!).toBe(values[0])
  })

  it('never link to a page the reader may not open', async () => {
    const { data } = await read(readers.Pimpinan!, 'money-in')
    expect(JSON.stringify(data)).not.toContain('"/pembayaran-mahasiswa?')
  })
})

describe('a dean', () => {
  it("counts only the dean's own programmes", async () => {
    await forget()
    const [own, all] = [await read(readers.dean!, 'fill'), await read(readers.Pimpinan!, 'fill')]
    expect(own.data.lines.length).toBeLessThanOrEqual(2)
    expect(all.data.lines.length + all.data.more).toBeGreaterThan(2)
    for (const key of ['season', 'funnel', 'money-in', 'receivables'] as const) {
      const sum = ({ data }: CardAnswer) =>
        [...data.figures.map(({ value }) => value), ...data.lines.map(({ values }) => values[0])].reduce<number>(
          (total, value) => total + (value ?? 0),
          0,
        )
      const [less, more] = [sum(await read(readers.dean!, key)), sum(await read(readers.Pimpinan!, key))]
      expect(less, key).toBeLessThanOrEqual(more)
      if (more > 0 && key !== 'money-in') expect(less, key).toBeLessThan(more)
    }
  })

  it('sees no unpublished acceptance', async () => {
    await forget()
    const accepted = async (reader: TestActor) =>
      (await read(reader, 'funnel')).data.lines.find(({ word }) => word === 'accepted')!.values[0]!
    const soon = new Date(t.clock.now().getTime() + 3_600_000)
    const { rows } = await sql<{ hidden: number; wave: string; track: string; was: Date }>`
      WITH largest AS (SELECT r.wave_id, r.track_id, count(*)::int AS hidden FROM registrations r
        WHERE r.status = 'decided' AND r.decision = 'accepted' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1)
      SELECT l.hidden, l.wave_id AS wave, l.track_id AS track, p.publish_at AS was FROM largest l
      JOIN result_publications p ON p.wave_id = l.wave_id AND p.track_id = l.track_id`.execute(t.db)
    const [{ wave, track, was }] = rows as [(typeof rows)[number]]
    const publishAt = (time: Date) =>
      sql`UPDATE result_publications SET publish_at = ${time} WHERE wave_id = ${wave} AND track_id = ${track}`.execute(
        t.owner,
      )
    await publishAt(soon)
    expect(rows[0]!.hidden).toBeGreaterThan(0)
    expect((await accepted(readers['Panitia PMB']!)) - (await accepted(readers.Pimpinan!))).toBe(rows[0]!.hidden)
    await publishAt(was)
  })
})

describe('the season', () => {
  it('ends its curve at its figure, and compares with the season before only if there was one', async () => {
    await forget()
    const { data } = await read(readers.Pimpinan!, 'season')
    const [submitted] = data.figures
    expect(data.curves[0]!.values.at(-1)).toBe(submitted!.value)
    expect(data.days.at(-1)).toBe(universityCalendar().dayOf(t.clock.now()))
    expect([data.notes, submitted!.before]).toEqual([['noHistory'], null])
    await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
      SELECT 'L' || code, (left(academic_year, 4)::int - 1) || '/' || left(academic_year, 4), name, semester_code,
        opens_at - interval '1 year', (SELECT max(closes_at) FROM waves o WHERE o.academic_year = w.academic_year) - interval '1 year'
      FROM waves w WHERE code = 'G1'`.execute(t.owner)
    await sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, status, submitted_at, created_at)
      SELECT 'L' || r.code, r.applicant_id, r.account_id, w.id, r.track_id, r.entry_level_id, r.class_programme_id, r.programme_id,
        'submitted', r.submitted_at - interval '1 year', r.created_at - interval '1 year'
      FROM registrations r JOIN waves w ON w.code = 'LG1' WHERE r.submitted_at IS NOT NULL ORDER BY r.code LIMIT 20`.execute(
      t.owner,
    )
    await sql`SELECT fill_registration_steps()`.execute(t.owner)
    await forget()
    const later = await read(readers.Pimpinan!, 'season')
    expect(later.data.curves.map(({ values }) => values.at(-1))).toEqual([submitted!.value, 20])
    expect(later.data.figures[0]).toMatchObject({ value: submitted!.value, before: 20, against: 'season' })
  })
})

describe('an answer', () => {
  const reader = () => readers.Pimpinan!
  const spy = () => vi.spyOn(cardReadings, 'season')
  /** Faster than a reader waits, as in an empty database, however busy the machine is. */
  const quickly = () => spy().mockResolvedValue({})
  /** Slower than a reader waits, as in a large database. */
  const slowly = () => {
    const original = cardReadings.season
    return spy().mockImplementation(async (question) => {
      await setTimeout(800)
      return original(question)
    })
  }

  it('is reused for a minute, then shown with its time while a newer one is computed', async () => {
    await forget()
    const reading = slowly()
    const start = t.clock.now()
    const after = (ms: number) => t.clock.set(new Date(start.getTime() + ms))
    after(0)
    const first = await read(reader(), 'season')
    expect(first.meta).toEqual({ asOf: start.toISOString(), isOld: false, newerSoon: false })
    after(59_000)
    expect((await read(reader(), 'season')).meta).toEqual(first.meta)
    expect(reading).toHaveBeenCalledTimes(1)
    after(minuteMs + 1_000)
    expect((await read(reader(), 'season')).meta).toEqual({ asOf: start.toISOString(), isOld: true, newerSoon: true })
    await settleAnswers(t.db)
    expect(reading).toHaveBeenCalledTimes(2)
    expect((await read(reader(), 'season')).meta).toEqual({
      asOf: new Date(start.getTime() + minuteMs + 1_000).toISOString(),
      isOld: false,
      newerSoon: false,
    })
  })

  it('older than a minute is replaced before it is shown, if the new one is ready soon', async () => {
    await forget()
    quickly()
    const start = t.clock.now()
    t.clock.set(start)
    await read(reader(), 'season')
    const later = new Date(start.getTime() + 2 * minuteMs)
    t.clock.set(later)
    expect((await read(reader(), 'season')).meta).toEqual({ asOf: later.toISOString(), isOld: false, newerSoon: false })
  })

  it('that took long is reused longer, and says that it is older than a minute', async () => {
    await forget()
    const reading = quickly()
    const start = t.clock.now()
    t.clock.set(start)
    await read(reader(), 'season')
    await sql`UPDATE kept_cards SET took_ms = 6000`.execute(t.db)
    t.clock.set(new Date(start.getTime() + 2 * minuteMs))
    const { meta } = await read(reader(), 'season')
    expect(meta).toEqual({ asOf: start.toISOString(), isOld: true, newerSoon: false })
    t.clock.set(new Date(start.getTime() + 4 * minuteMs))
    expect((await read(reader(), 'season')).meta.isOld).toBe(false)
    expect(reading).toHaveBeenCalledTimes(2)
  })

  it('from the day before is never shown', async () => {
    await forget()
    slowly()
    const start = t.clock.now()
    t.clock.set(start)
    await read(reader(), 'season')
    const later = new Date(start.getTime() + 25 * 60 * minuteMs)
    t.clock.set(later)
    const tomorrow = await asStaff(t, 'Pimpinan')
    expect((await read(tomorrow, 'season')).meta).toEqual({ asOf: later.toISOString(), isOld: false, newerSoon: false })
  })

  it('is computed once for twenty readers on two servers', async () => {
    await forget()
    const other = await testApp({ sameDatabaseAs: t })
    const reading = slowly()
    const sameRole = await Promise.all(Array.from({ length: 20 }, () => asStaff(t, 'Pimpinan')))
    const answers = await Promise.all(
      sameRole.map(async ({ token }, index) =>
        (index % 2 ? other : t).app.inject({
          url: '/api/dashboard/cards/season',
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(reading).toHaveBeenCalledTimes(1)
    await other.close()
  })

  it('stored while a reader waits for their turn is not computed again', async () => {
    await forget()
    const reading = quickly()
    const first = await read(reader(), 'season')
    await sql`CREATE TABLE earlier_answer AS SELECT * FROM kept_cards`.execute(t.owner)
    await forget()
    const late = await raceBehind(
      t,
      sql`LOCK TABLE kept_cards IN SHARE MODE`,
      1,
      () => read(reader(), 'season'),
      sql`INSERT INTO kept_cards SELECT * FROM earlier_answer`,
    )
    expect(late).toEqual(first)
    expect(reading).toHaveBeenCalledTimes(1)
    await sql`DROP TABLE earlier_answer`.execute(t.owner)
  })

  it('that fails affects only its own card and is computed again at the next read', async () => {
    await forget()
    spy().mockRejectedValueOnce(new Error('broken'))
    expect((await reader().get('/dashboard/cards/season')).statusCode).toBe(500)
    expect((await reader().get('/dashboard/cards/funnel')).statusCode).toBe(200)
    expect((await reader().get('/dashboard/cards/season')).statusCode).toBe(200)
  })

  it('that is stored costs a reader no computation', async () => {
    await read(reader(), 'season')
    const reading = spy()
    await Promise.all(Array.from({ length: 10 }, () => read(reader(), 'season')))
    expect(reading).not.toHaveBeenCalled()
  })

  it('is never shown to a reader with another scope or other permissions', async () => {
    await forget()
    const permissions = await permissionsOf('Pimpinan')
    const [one, two, fewer] = [
      await asWithPermissions(t, permissions, { programmeIds: [programmeIds[0]!] }),
      await asWithPermissions(t, permissions, { programmeIds: [programmeIds[1]!] }),
      await asWithPermissions(t, ['laporan-pendaftaran-prodi'], { programmeIds: [programmeIds[0]!] }),
    ]
    const names = async (someone: TestActor) => (await read(someone, 'fill')).data.lines.map(({ label }) => label)
    expect(await names(one)).not.toEqual(await names(two))
    expect(await names(one)).toEqual(await names(fewer))
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM kept_cards WHERE card = 'fill'`.execute(
      t.db,
    )
    expect(rows[0]!.count).toBe(3)
  })

  it('follows a change of the role at once', async () => {
    await forget()
    const reader = await asWithPermissions(t, ['laporan-pendaftaran-prodi'])
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', reader.accountId)
      .executeTakeFirstOrThrow()
    const all = await read(reader, 'fill')
    await t.db.insertInto('roleScopes').values({ roleId, programmeId: programmeIds[0]! }).execute()
    t.services.sessions.forget()
    const limited = await read(reader, 'fill')
    expect(limited.data.lines.length).toBeLessThan(all.data.lines.length)
    await t.db.deleteFrom('rolePermissions').where('roleId', '=', roleId).execute()
    t.services.sessions.forget()
    expect((await reader.get('/dashboard/cards/fill')).statusCode).toBe(403)
  })
})

describe('an affiliate', () => {
  it('sees only people with their own code, with masked names', async () => {
    const [mine, theirs] = [await asStaff(t, 'Afiliator'), await asStaff(t, 'Afiliator')]
    expect(await cardsOf(mine)).toEqual([])
    expect((await mine.get('/dashboard/cards/referred')).statusCode).toBe(404)
    for (const [code, { accountId }] of [
      ['AFSATU', mine],
      ['AFDUA', theirs],
    ] as const)
      await sql`INSERT INTO affiliates (code, name, phone, account_id) VALUES (${code}, ${code}, '+628120000000', ${accountId})`.execute(
        t.db,
      )
    const { rows } = await sql<{ name: string }>`WITH chosen AS (
        SELECT r.id, r.applicant_id, row_number() OVER (ORDER BY r.code) AS n FROM registrations r WHERE r.status = 'decided' LIMIT 3)
      UPDATE registrations r SET referral_code = CASE WHEN c.n = 3 THEN 'afdua' ELSE 'afsatu' END
      FROM chosen c JOIN applicants a ON a.id = c.applicant_id WHERE c.id = r.id RETURNING a.full_name AS name`.execute(
      t.db,
    )
    expect(rows).toHaveLength(3)
    expect(await cardsOf(mine)).toEqual(['referred'])
    const [own, other] = [await read(mine, 'referred'), await read(theirs, 'referred')]
    expect([own.data.figures[1]!.value, other.data.figures[1]!.value]).toEqual([2, 1])
    const text = JSON.stringify(own.data)
    for (const { name } of rows) expect(text).not.toContain(name)
    expect(own.data.lines[0]!.label).toMatch(/\*/)
    const byMail = await asStaff(t, 'Afiliator', { email: 'rekan@contoh.test' })
    expect(await cardsOf(byMail)).toEqual([])
    await sql`INSERT INTO affiliates (code, name, phone, email) VALUES ('AFTIGA', 'Rekan', '+628120000001', 'Rekan@contoh.test')`.execute(
      t.db,
    )
    expect(await cardsOf(byMail)).toEqual(['referred'])
    expect((await read(byMail, 'referred')).data.figures[1]!.value).toBe(0)
  })
})
