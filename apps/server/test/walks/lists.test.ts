import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { permissionSlugs } from '#domain/access/permissions.ts'
import { type AnyList, columnWord, filterWord, type ListColumn, type ListFilter, type Word } from '#domain/list.ts'
import { languages } from '#entities/define/language.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'
import { hasSentence } from '#locales/translate.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { masterRows } from '#server-test/factories/master.ts'
import { aReportMail } from '#server-test/factories/report-mail.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { sampleOf } from '#testing/form.ts'

const domain = path.resolve(import.meta.dirname, '../../../../packages/domain/src')
const declarations: Record<string, unknown>[] = await Promise.all(
  fs.globSync('**/{lists,*endpoints}.ts', { cwd: domain }).map((file) => import(path.join(domain, file))),
)
const isList = (value: unknown): value is AnyList => typeof value === 'object' && value !== null && 'columns' in value
const ofEntities = entities.flatMap((entity): AnyList[] => {
  const { list, all } = endpointsOf(entity)
  return entity.parent ? [list, all] : [list]
})
const lists = [...declarations.flatMap((file) => Object.values(file).filter(isList)), ...ofEntities].map(
  (list) => [list.path, list] as const,
)

/**
 * Walks every list: words, file, orders, cursors, searches and filters. The daily form exports each list with all and
 * with chosen columns, checks the sorts and searches a reader is refused, and uses each filter; the seed draws two
 * orders, the applicant to search for and the filter of the file.
 */
let t: TestApp
let admin: TestActor
/** Has every permission except those that show applicants' phones and e-mail addresses in full. */
let maskedReader: TestActor
const contactRights: readonly string[] = ['pendaftaran-edit', 'settings-accounts-update']
/** E-mail addresses and ends of phone numbers of some applicants who have paid. */
let contacts: [email: string, phone: string][]
beforeAll(async () => {
  t = await demoApp()
  admin = await asStaff(t)
  const connection = await t.db.selectFrom('whatsappConnections').select('id').executeTakeFirstOrThrow()
  parents['whatsapp-messages'] = connection.id
  const token = await admin.post('/settings/campus', { name: 'SIAKAD', withIdentity: false, programmeIds: [] })
  parents['campus-calls'] = token.json().data.id
  await t.db
    .insertInto('campusCalls')
    .values(
      [1, 2].map((students) => ({
        tokenId: token.json().data.id,
        at: new Date(),
        ip: '127.0.0.1',
        outcome: 'answered',
        students,
      })),
    )
    .execute()
  const { id } = await t.db
    .insertInto('imports')
    .values({
      entity: 'fakultas',
      accountId: admin.accountId,
      accountName: 'Admin',
      fileName: 'fakultas.csv',
      format: 'csv',
      bytes: 1,
      language: 'en',
      acting: '{}',
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const problem = { importId: id, field: 'code', value: null, reasonEn: 'Empty', reasonId: 'Kosong' }
  await t.db
    .insertInto('importProblems')
    .values([1, 2].map((number) => ({ ...problem, number, row: number + 1 })))
    .execute()
  parents['import-problems'] = id
  const survey = await t.db.selectFrom('surveys').select('id').where('status', '=', 'open').executeTakeFirstOrThrow()
  for (const name of ['survey-links', 'survey-responses', 'survey-texts']) parents[name] = survey.id
  parents['report-mail-runs'] = await aMailWithRuns()
  parents['workbook-problems'] = await aWorkbookWithProblems()
  const { testSessionId } = await t.db
    .selectFrom('testSeats')
    .select('testSessionId')
    .where('status', '<>', 'released')
    .executeTakeFirstOrThrow()
  parents['test-participants'] = testSessionId
  parents['event-visitors'] = (
    await t.db.selectFrom('events').select('id').where('slug', '=', 'open-house-peraga').executeTakeFirstOrThrow()
  ).id
  parents['campaign-recipients'] = (
    await t.db.selectFrom('campaigns').select('id').where('state', '=', 'finished').executeTakeFirstOrThrow()
  ).id
  await addScores()
  await t.db
    .insertInto('exports')
    .values(
      ['Bills', 'Roles', 'Imports'].map((title, index) => ({
        accountId: admin.accountId,
        accountName: `Admin ${index}`,
        roleName: 'Administrator',
        list: title.toLowerCase(),
        title,
        format: 'csv' as const,
        columns: [],
        filter: '{}',
        filterWords: '',
        requestId: title,
        rows: (index * 7) % 5,
        startedAt: new Date(Date.UTC(2026, 0, 10 - index)),
      })),
    )
    .execute()
  maskedReader = await asWithPermissions(
    t,
    [...permissionSlugs].filter((slug) => !contactRights.includes(slug)),
  )
  const payers = await t.db
    .selectFrom('accounts as a')
    .innerJoin('applicants as p', 'p.accountId', 'a.id')
    .select(['a.email', 'p.phone'])
    .where('a.id', 'in', (payments) =>
      payments.selectFrom('payments').select('accountId').where('accountId', 'is not', null),
    )
    .orderBy('a.id')
    .limit(4)
    .execute()
  contacts = payers.map(({ email, phone }) => [email, phone!.slice(-9)])
  const master = masterRows(t, admin)
  for (const entity of entities) await master.create(entity)
  for (const [slug, id] of master.parents) parents[slug] = id
  for (const { slug, large, parent } of entities)
    if (large && parent) narrowingFilters[`/master/${slug}`] = [parent.field, parents[slug]!]
  const { cityId } = await t.db
    .selectFrom('schools')
    .select('cityId')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  narrowingFilters['/master/sma-nama'] = ['cityId', cityId]
}, 120_000)
afterAll(() => t.close())

/** The administrator's scheduled mail with two sendings. */
async function aMailWithRuns() {
  const { id: mailId } = await aReportMail(admin, [admin])
  const run = { mailId, accountId: admin.accountId, byHand: false, state: 'empty' as const, rows: 0 }
  const days = ['2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'].map((day) => new Date(day))
  await t.db
    .insertInto('reportMailRuns')
    .values(days.map((dueAt) => ({ ...run, dueAt, createdAt: dueAt, finishedAt: dueAt })))
    .execute()
  return mailId
}

async function aWorkbookWithProblems() {
  const { id } = await t.db
    .insertInto('imports')
    .values({
      entity: 'workbook',
      format: 'xlsx',
      accountId: admin.accountId,
      accountName: 'Admin',
      language: 'en',
      acting: '{}',
      fileName: 'settings.xlsx',
      bytes: 1,
      status: 'checked',
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const problem = { importId: id, letter: 'A', header: 'Code', value: null, reasonEn: 'Empty', reasonId: 'Kosong' }
  await t.db
    .insertInto('importProblems')
    .values([1, 2].map((number) => ({ ...problem, number, sheet: `Sheet ${number}`, row: number + 1 })))
    .execute()
  return id
}

/** A score file with a problem, and a run over the demo's scores. */
async function addScores() {
  const wave = await t.db.selectFrom('registrations').select('waveId').executeTakeFirstOrThrow()
  const file = {
    accountId: admin.accountId,
    accountName: 'Admin',
    fileName: 'nilai.csv',
    bytes: 1,
    createdAt: new Date(),
  }
  const { id: importId } = await t.db
    .insertInto('imports')
    .values({ ...file, entity: 'scores', language: 'en', acting: '{}', status: 'uploaded', format: 'csv' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('scoreImports')
    .values({ ...wave, id: importId, headers: '[]', samples: '[]' })
    .execute()
  const problem = { importId, letter: 'A', header: 'Kode', value: 'X', reasonEn: 'Unknown', reasonId: 'Tidak dikenal' }
  await t.db
    .insertInto('importProblems')
    .values([1, 2].map((number) => ({ ...problem, number, row: number + 1 })))
    .execute()
  const scores = await t.db
    .selectFrom('testScores')
    .select(['registrationId', 'testId', 'score'])
    .where('score', 'is not', null)
    .limit(20)
    .execute()
  const line = { importId, parts: '{}', action: 'changed' as const, decided: false, versionBefore: 1 }
  await t.db
    .insertInto('scoreImportLines')
    .values(scores.map((one, index) => ({ ...line, ...one, score: one.score!, number: index + 1, row: index + 2 })))
    .execute()
  const { id: scoreRunId } = await t.db
    .insertInto('scoreRuns')
    .values({ ...wave, name: 'Perhitungan', methods: '[]', inputHash: 'x', createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('finalScores')
    .values(scores.map((one) => ({ ...one, score: one.score!, scoreRunId })))
    .execute()
  parents['score-import-problems'] = importId
  parents['score-import-lines'] = importId
  parents['final-scores'] = scoreRunId
}

const columnsOf = (list: AnyList) => Object.entries<ListColumn>(list.columns)
const filtersOf = (list: AnyList) => Object.entries<ListFilter>(list.filters)

const ordersOf = (list: AnyList) =>
  sampleOf(
    `orders ${list.path}`,
    list.orders.flatMap((key) => [key, `-${key}`]),
    2,
  )

const linesOf = (csv: string): string[][] => parse(csv, { bom: true })

/** Columns with ids or lists, for which files contain names. */
const unlikeInFiles = (value: unknown) =>
  typeof value === 'object' ? value !== null : z.uuid().safeParse(value).success

/** Id of the parent row, by the name of the list; lists without an entry have no parent. */
const parents: Record<string, string> = {}
/** Lists below a record visible only to its owner. */
const ownLists = new Set(['report-mail-runs'])
const inPlace = (list: AnyList, path: string) => path.replace(/:\w+/g, () => parents[list.name] ?? crypto.randomUUID())
/** Filters that exclude rows the export itself adds or changes. */
const stableFilters: Record<string, string> = { exports: '&to=2026-01-31', audit: '&kind=accounts' }
/** Filter that leaves a few rows of a very long list, whose file would take long, by the list's path. */
const narrowingFilters: Record<string, readonly [filter: string, value: string]> = {}
const narrowingQueryOf = (list: AnyList, term?: string) => {
  const [filter, value] = narrowingFilters[list.path] ?? []
  return filter && filter !== term ? `&${filter}=${value}` : ''
}
const pathOf = (list: AnyList) => inPlace(list, list.path)
const filePathOf = (list: AnyList) => inPlace(list, list.file.path)

/** Paths of lists in which an administrator finds applicants by their contacts. */
const searchedByContacts = new Set<string>()

describe.each(lists)('list %s', (_, list) => {
  test('has its words in every language', () => {
    const words: (Word | undefined)[] = [
      list.words.title,
      ...columnsOf(list).map(([key]) => columnWord(list, key)),
      ...columnsOf(list).map(([, { absent }]) => absent),
      ...filtersOf(list).map(([key]) => filterWord(list, key)),
      ...filtersOf(list).flatMap(([, filter]) =>
        'values' in filter
          ? filter.values.map((value) =>
              typeof filter.words === 'string' ? `${filter.words}.${value}` : filter.words[value],
            )
          : [],
      ),
    ]
    const missing = words.flatMap((word) =>
      typeof word === 'string'
        ? languages.filter((locale) => !hasSentence(word, locale)).map((locale) => `${locale}: ${word}`)
        : [],
    )
    expect(missing).toEqual([])
  })

  test('has a file with the requested columns, in order, and a line for every row', async () => {
    const all = columnsOf(list).map(([key]) => key)
    const requestedKeys = all.filter((_key, index) => index % 2 === 0).toReversed()
    const file = async (columns: string[] = []) => {
      const answer = await admin.get(
        `${filePathOf(list)}?format=csv${columns.length ? `&columns=${columns}` : ''}${narrowingQueryOf(list)}`,
      )
      expect([list.file.path, answer.statusCode]).toEqual([list.file.path, 200])
      return linesOf(answer.body)
    }
    const completeFile = await file()
    const [heads, ...lines] = await file(requestedKeys)
    // Read after the files, because every file adds a row to the list of exports.
    const page = await admin.get(`${pathOf(list)}?per_page=100${narrowingQueryOf(list)}`)
    expect([page.statusCode, page.body.slice(0, 200)]).toEqual([200, expect.any(String)])
    const { total, total_is_estimate } = page.json().meta
    expect(completeFile[0]).toHaveLength(all.length)
    expect(heads).toEqual(completeFile[0]!.filter((_head, index) => requestedKeys.includes(all[index]!)))
    if (!total_is_estimate) expect(lines).toHaveLength(total)
  })

  test('has the same order in its file and on its pages', async () => {
    const narrowing = `${narrowingQueryOf(list)}${stableFilters[list.name] ?? ''}`
    const sample = (await admin.get(`${pathOf(list)}?per_page=10${narrowingQueryOf(list)}`)).json().data as Record<
      string,
      unknown
    >[]
    const isPlain = (key: string) => sample.every((row) => row[key] !== undefined && !unlikeInFiles(row[key]))
    const [first] =
      columnsOf(list).find(([key, column]) => {
        const { kind, words, masked } = column
        return isPlain(key) && (!kind || kind === 'number' || kind === 'money') && !words && !masked
      }) ?? []
    for (const order of ordersOf(list)) {
      const file = await admin.get(`${filePathOf(list)}?format=csv&columns=${first}&sort=${order}${narrowing}`)
      expect([order, file.statusCode]).toEqual([order, 200])
      const rows = (await admin.get(`${pathOf(list)}?per_page=10&sort=${order}${narrowing}`)).json().data
      const cells = linesOf(file.body).slice(1, rows.length + 1)
      expect([order, cells.flat()]).toEqual([
        order,
        rows.map((row: Record<string, unknown>) => String(row[first!] ?? '')),
      ])
    }
  })

  test('has cursors that show no value of a row', async () => {
    for (const order of ordersOf(list)) {
      const { data, meta } = (
        await admin.get(`${pathOf(list)}?per_page=1&sort=${order}${narrowingQueryOf(list)}`)
      ).json()
      if (!meta.next) continue
      const bytes = Buffer.from(meta.next, 'base64url').toString('latin1').toLowerCase()
      const legibleValues = Object.entries<unknown>(data[0]).filter(
        ([, value]) => typeof value === 'string' && value.length > 4 && bytes.includes(value.toLowerCase()),
      )
      expect([order, legibleValues]).toEqual([order, []])
    }
  })

  test.skipIf(list.unsearchable || ownLists.has(list.name))(
    'is not searched by contacts for readers who see them masked',
    async () => {
      for (const contact of sampleOf(`contacts ${list.path}`, contacts, 1).flat()) {
        const answer = await maskedReader.get(`${pathOf(list)}?q=${contact}${narrowingQueryOf(list)}`)
        expect([answer.statusCode, contact, answer.json().data]).toEqual([200, contact, []])
        const { data } = (await admin.get(`${pathOf(list)}?q=${contact}${narrowingQueryOf(list)}`)).json()
        if (data.length > 0) searchedByContacts.add(list.path)
      }
    },
  )

  test('cannot be sorted by a column that the reader sees masked or not at all', async () => {
    const guarded = columnsOf(list).filter(
      ([, { sort, right, sortRight, masked }]) => sort && (right || sortRight || masked),
    )
    if (guarded.length === 0) return
    const visitor = await asWithPermissions(t, [list.access])
    for (const [key] of guarded) {
      for (const path of [pathOf(list), filePathOf(list)])
        for (const order of [key, `-${key}`]) {
          const answer = await visitor.get(`${path}?sort=${order}`)
          expect([answer.statusCode, answer.json().errors]).toEqual([422, { sort: expect.anything() }])
        }
    }
  })

  test('understands every filter, on its pages and in its file', async () => {
    const filters = filtersOf(list)
    const inFile = sampleOf(
      `filters ${list.path}`,
      filters.map(([key]) => key),
      1,
    )
    for (const [key, filter] of filters) {
      const value =
        'values' in filter
          ? filter.values[0]
          : 'of' in filter || filter.kind === 'id'
            ? crypto.randomUUID()
            : filter.kind === 'day'
              ? '2026-11-01'
              : filter.kind === 'yesNo'
                ? 'true'
                : 'x'
      for (const path of [pathOf(list), ...(inFile.includes(key) ? [filePathOf(list)] : [])]) {
        const answer = await admin.get(`${path}?${key}=${value}${narrowingQueryOf(list, key)}`)
        expect([path, key, answer.statusCode, answer.statusCode === 200 || answer.body]).toEqual([path, key, 200, true])
      }
    }
  })
})

test('readers who see contacts in full can search the lists by them', () => {
  expect([...searchedByContacts]).toEqual(
    expect.arrayContaining(['/pendaftaran', '/bills', '/pembayaran-mahasiswa', '/transaksi-va', '/settings/accounts']),
  )
})
