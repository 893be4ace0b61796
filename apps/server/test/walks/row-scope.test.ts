import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entity } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { someSending } from '#server-test/factories/campaigns.ts'
import { fourProgrammes, type Trail } from '#server-test/factories/universities/four-programmes.ts'
import { bodySchemaOf, isList, type Route, routesOf } from '#server-test/routes.ts'
import { type NamedValues, sampleFrom } from '#server-test/sample.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole, sampleOf, seed, shuffled } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'

/**
 * Walks every call as roles limited to some study programmes. The daily form reads each list completely; checks that
 * each call is refused without its permission, reads one row inside the scope and none outside, and changes no row
 * outside. The seed draws the programmes, the rows to read, the search words, and the calls made by roles with half the
 * permissions.
 */
let t: TestApp
let routes: Route[]
let world: Awaited<ReturnType<typeof fourProgrammes>>
/** Campaign, sheet, template and addresses of another account. */
let sending: Awaited<ReturnType<typeof someSending>>
/** Rows of scoped entities with their programme or faculty; null for rows without one. */
type Row = { id: string; owners: string[] | null }
let owned: Map<Entity, Row[]>

const scoped = entities.filter(({ scope }) => scope)

beforeAll(async () => {
  t = await testApp()
  routes = routesOf(t.app).filter(({ operation }) => operation.security)
  world = await fourProgrammes(t)
  sending = await someSending(t, await asStaff(t))
  owedParts = await findOwedParts()
  documentsOf = await findDocuments()
  reportRowsOf = await findReportRows()
  owned = new Map()
  for (const entity of scoped) owned.set(entity, await rowsOf(entity))
}, 120_000)
afterAll(() => t.close())

async function rowsOf(entity: Entity) {
  const field = entity.scope!.field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const { rows } = await sql<{ id: string; owner: string | null }>`
    SELECT id::text AS id, ${sql.ref(field)}::text AS owner FROM ${sql.table(entity.table)}`.execute(t.db)
  const ownersOf = (owner: string) =>
    entity.scope!.by === 'programme'
      ? [owner]
      : world.programmes.filter(({ facultyId }) => facultyId === owner).map(({ id }) => id)
  return rows.map(({ id, owner }) => ({ id, owners: owner ? ownersOf(owner) : null }))
}

type Drawn = { slugs: string[]; programmeIds: string[]; facultyIds: string[] }

/** Rows a drawn role may see. */
function viewOf({ slugs, programmeIds, facultyIds }: Drawn) {
  const programmes = new Set([
    ...programmeIds,
    ...world.programmes.filter(({ facultyId }) => facultyIds.includes(facultyId)).map(({ id }) => id),
  ])
  const visibleTrails = world.trails.filter(({ programmeId }) => programmes.has(programmeId))
  const outside = world.trails.filter(({ programmeId }) => !programmes.has(programmeId))
  const mayChange = ({ owners }: Row) => owners?.some((id) => programmes.has(id)) ?? false
  const mayRead = (row: Row) => row.owners === null || mayChange(row)
  const hiddenRows = [...owned.values()].flatMap((rows) => rows.filter((row) => !mayRead(row)).map(({ id }) => id))
  const hiddenNames = world.programmes.filter(({ id }) => !programmes.has(id)).map(({ name }) => name)
  const marks = [...outside.flatMap((trail) => trail.marks), ...hiddenRows, ...hiddenNames]
  const holds = ({ permission, alsoFor }: Route) =>
    !permission || [permission, ...alsoFor].some((slug) => slugs.includes(slug))
  return {
    slugs,
    /** Whether the role has all permissions of a call. */
    hasAll: slugs.length === allSlugs().length,
    inside: visibleTrails,
    outside,
    mayRead,
    mayChange,
    holds,
    leaked: (body: string) => marks.find((mark) => body.includes(mark)),
  }
}
type View = ReturnType<typeof viewOf>

/** A path with the ids of one master data row, if it names such rows. */
function fillWithRow(path: string, { entity: { slug, parent }, id, owners }: Row & { entity: Entity }) {
  if (path.startsWith(`/api/master/${slug}/{id}`)) return path.replace('{id}', id)
  if (path.startsWith(`/api/master/${slug}/{parentId}`) && !path.includes('{id}')) return path.replace('{parentId}', id)
  if (parent && path.startsWith(`/api/master/${parent.slug}/{parentId}/${parent.path}/{id}`))
    return path.replace('{parentId}', owners![0]!).replace('{id}', id)
  return undefined
}

/** A path with the ids of a registration and its rows, by the path segment before each parameter. */
function fillWithTrail(path: string, trail: Trail): string | undefined {
  const ids: Record<string, string> = {
    pendaftaran: trail.registration,
    'npm-mahasiswa': trail.registration,
    'mahasiswa-feeder': trail.registration,
    cards: trail.cardPrint,
    'berkas-mahasiswa': trail.registration,
    // No such receipt: 404 both inside and outside the scope.
    papers: trail.registration,
    'jaket-mahasiswa': trail.registration,
    'sim-mahasiswa': trail.applicant,
    bills: trail.bill,
    'virtual-accounts': trail.virtualAccount,
    'transaksi-va': trail.virtualAccount,
    'payment-links': trail.paymentLink,
    'bukti-transfer': trail.transferProof,
    'payment-alerts': trail.alert,
    payments: trail.payment,
    'pembayaran-mahasiswa': trail.payment,
    persetujuan: trail.approval,
    'uang-menunggu': trail.payment,
    refunds: trail.refund,
    documents: trail.document,
    files: trail.document,
    'test-seats': trail.seat,
    'jadwal-test': world.academic.testSession,
    vouchers: trail.voucherUse,
    reserve: trail.reservePlace,
    terbit: trail.letter,
    massal: trail.letterBatch,
    chunks: '1',
    requests: trail.programmeRequest,
    imports: trail.imported,
    conversations: trail.conversation,
    messages: trail.chatMessage,
    ...sending,
  }
  if (ofNobody.test(path)) return undefined
  return path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    if (!(segment in ids)) throw new Error(`${path}: say in this test whose ${name} this is`)
    return `${segment}/${ids[segment]}`
  })
}

const namedValues = (): NamedValues => ({
  waveId: world.academic.wave,
  trackId: world.academic.tracks.regular,
  classProgrammeId: world.academic.classProgramme,
  entryLevelId: world.academic.entryLevel,
  testSessionId: world.academic.testSession,
  installmentPlanId: world.academic.plan,
  list: 'pendaftaran',
  version: 1,
  reason: 'alasan contoh',
  bank: 'sandbox-a',
  format: 'csv',
})

/** Query a route requires: the maximum page size and the given parameters. */
function queryOf({ operation }: Route, more: Record<string, string> = {}) {
  const queryParameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const values = namedValues()
  const query = Object.fromEntries(
    queryParameters
      .filter(({ name, required }) => required || ['per_page', 'format', ...Object.keys(more)].includes(name))
      .map(({ name, schema }) => [
        name,
        name === 'per_page' ? '100' : String(more[name] ?? values[name] ?? sampleFrom(schema, values, name)),
      ]),
  )
  return Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
}
const hasParameter = ({ operation }: Route, name: string) =>
  (operation.parameters ?? []).some((parameter) => parameter.name === name)

const submitted = ({ registration, status }: Trail) => (status === 'draft' ? null : registration)
/** Ids of rows in the list of applicants' debts: the bill with the instalment's position. */
let owedParts: Map<string, string[]>
async function findOwedParts() {
  const { rows } = await sql<{ registrationId: string; parts: string[] }>`
    SELECT b.registration_id, array_agg(concat_ws(':', b.id, i.position)) AS parts FROM bills b
    LEFT JOIN installments i ON i.bill_id = b.id
    WHERE b.status IN ('open', 'partly_paid') AND coalesce(i.amount - i.paid, b.total - b.paid) > 0 GROUP BY 1`.execute(
    t.db,
  )
  return new Map(rows.map(({ registrationId, parts }) => [registrationId, parts]))
}

/** Ids of the documents of each registration. */
let documentsOf: Map<string, string[]>
async function findDocuments() {
  const { rows } = await sql<{ registrationId: string; ids: string[] }>`
    SELECT registration_id, array_agg(id::text) AS ids FROM documents GROUP BY 1`.execute(t.db)
  return new Map(rows.map(({ registrationId, ids }) => [registrationId, ids]))
}

/** Ids of the rows that reports on files, scores and numbers list for each registration. */
type ReportRows = {
  needed: string[]
  files: string[]
  scores: string[]
  numbers: string[]
  answers: string[]
  waiting: string[]
  fixed: string[]
  billed: string[]
  booked: string[]
  referred: string[]
}
let reportRowsOf: Map<string, ReportRows>
async function findReportRows() {
  const { rows } = await sql<ReportRows & { id: string }>`SELECT r.id,
      ARRAY(SELECT d.id::text FROM documents d WHERE d.registration_id = r.id AND (d.required OR d.status <> 'empty')
        AND r.submitted_at IS NOT NULL) AS needed,
      ARRAY(SELECT concat_ws(':', r.id, 'document', d.name) FROM documents d WHERE d.registration_id = r.id AND d.required
          AND r.submitted_at IS NOT NULL
        UNION ALL SELECT r.id || ':licence' FROM driving_licences l WHERE l.account_id = r.account_id AND l.drives
          AND r.submitted_at IS NOT NULL) AS files,
      ARRAY(SELECT concat_ws(':', r.id, s.test_id) FROM test_scores s WHERE s.registration_id = r.id AND s.score IS NOT NULL) AS scores,
      ARRAY(SELECT s.npm::text FROM students s WHERE s.registration_id = r.id) AS numbers,
      ARRAY(SELECT concat_ws(':', r.id, x.question, x.answer) FROM questionnaires q
        CROSS JOIN LATERAL (SELECT 'reasons' AS question, unnest(q.reasons) AS answer
          UNION ALL SELECT 'criteria', unnest(q.criteria) UNION ALL SELECT 'sources', unnest(q.sources)) x
        WHERE q.account_id = r.account_id AND r.submitted_at IS NOT NULL) AS answers,
      CASE WHEN r.status NOT IN ('enrolled', 'withdrawn', 'cancelled', 'expired') AND r.decision IS DISTINCT FROM 'not_accepted'
        THEN ARRAY[r.id::text] ELSE ARRAY[]::text[] END AS waiting,
      ARRAY(SELECT r.id::text FROM bills b LEFT JOIN installments i ON i.bill_id = b.id AND i.position = 1
        LEFT JOIN students s ON s.registration_id = r.id
        WHERE b.registration_id = r.id AND b.kind = 're_registration' AND b.status <> 'cancelled'
          AND coalesce(CASE WHEN i.id IS NULL THEN b.paid_at ELSE i.paid_at END, s.issued_at) IS NOT NULL
        UNION SELECT r.id::text FROM students s WHERE s.registration_id = r.id) AS fixed,
      ARRAY(SELECT 'billed:' || l.id FROM bills b JOIN bill_lines l ON l.bill_id = b.id
        WHERE b.registration_id = r.id AND l.amount > 0) AS billed,
      ARRAY(SELECT DISTINCT concat_ws(':', 'received', al.id, l.fee_component_id) FROM bills b
        JOIN bill_lines l ON l.bill_id = b.id JOIN allocations al ON al.bill_id = b.id WHERE b.registration_id = r.id) AS booked,
      ARRAY(SELECT concat_ws(':', r.id, u.id) FROM discount_uses u WHERE u.registration_id = r.id AND u.voucher_id IS NOT NULL) AS referred
    FROM registrations r`.execute(t.db)
  return new Map(rows.map(({ id, ...found }) => [id, found]))
}

/** Ids of each registration's letters; printing a letter for the first time registers it. */
let lettersOf: Map<string, string[]>
async function findLetters() {
  const { rows } = await sql<{ registrationId: string; ids: string[] }>`
    SELECT registration_id, array_agg(id::text) AS ids FROM letters GROUP BY 1`.execute(t.db)
  return new Map(rows.map(({ registrationId, ids }) => [registrationId, ids]))
}

/** Ids of the attempts to send each registration to Neo Feeder; every registration gets one. */
let feederResultsOf: Map<string, string>
async function addFeederResults() {
  const added = await t.db
    .insertInto('feederResults')
    .columns(['registrationId', 'target', 'outcome', 'detail', 'at'])
    .expression(
      t.db
        .selectFrom('registrations')
        .select(['id', sql`'sandbox'`.as('target'), sql`'refused'`.as('outcome'), sql`'RAHASIA'`.as('detail')])
        .select(sql`now()`.as('at')) as never,
    )
    .returning(['id', 'registrationId'])
    .execute()
  return new Map(added.map(({ id, registrationId }) => [registrationId, id]))
}

const isStudent = ({ status }: Trail) => status === 'confirmed' || status === 'enrolled'

/** Whether the call answers only for students: its path says so, or the actor holds no other permission for it. */
const isForStudents = (route: Route, slugs: readonly string[]) =>
  /^\/api\/(berkas|npm)-mahasiswa\/\{/.test(route.path) ||
  ([route.permission, ...route.alsoFor].includes('berkas-mahasiswa-update') && !slugs.includes('pendaftaran-view'))

/** Ids each custom list must contain for a registration; a list without an entry fails the test. */
const idsOfTrail: Record<string, (trail: Trail) => string | string[] | null> = {
  '/api/pendaftaran': ({ registration }) => registration,
  '/api/chat/conversations': ({ conversation }) => conversation,
  '/api/pembayaran-mahasiswa': ({ payments }) => payments,
  '/api/transaksi-va': ({ virtualAccount }) => virtualAccount,
  '/api/bills': ({ bills }) => bills,
  '/api/pindah-prodi': ({ programmeChange }) => programmeChange,
  '/api/pindah-prodi/requests': ({ programmeRequest }) => programmeRequest,
  '/api/seleksi/reserve': ({ reservePlace }) => reservePlace,
  '/api/surat/terbit': ({ registration }) => lettersOf.get(registration)!,
  '/api/konfirmasi-kelulusan': ({ registration, status }) =>
    ['decided', 'confirmed', 'enrolled'].includes(status) ? registration : null,
  '/api/uang-menunggu': ({ payment }) => payment,
  '/api/bukti-transfer': ({ transferProof }) => transferProof,
  '/api/persetujuan': ({ approval }) => approval,
  '/api/berkas-mahasiswa': (trail) => (isStudent(trail) ? documentsOf.get(trail.registration)! : null),
  '/api/npm-mahasiswa': (trail) => (isStudent(trail) ? trail.registration : null),
  '/api/mahasiswa-feeder': ({ registration, status }) => (status === 'enrolled' ? registration : null),
  '/api/mahasiswa-feeder/log': ({ registration }) => feederResultsOf.get(registration)!,
  '/api/npm-mahasiswa/withdrawn': ({ registration }) => registration,
  '/api/jaket-mahasiswa': (trail) => (isStudent(trail) ? trail.registration : null),
  '/api/download-foto-mahasiswa': (trail) => (isStudent(trail) ? trail.registration : null),
  '/api/sim-mahasiswa': ({ applicant }) => applicant,
  '/api/reports/pendaftaran-prodi/rows': ({ registration }) => registration,
  '/api/reports/total-pendaftaran/rows': ({ registration }) => registration,
  '/api/reports/per-tahun-akademik/rows': ({ registration }) => registration,
  '/api/reports/kuesioner-mahasiswa/rows': ({ registration }) => reportRowsOf.get(registration)!.answers,
  '/api/reports/berdasarkan-suku/rows': submitted,
  '/api/reports/wilayah-asal-sekolah/rows': submitted,
  '/api/reports/pembayaran-mahasiswa/rows': ({ payments }) => payments,
  '/api/reports/status-pendaftaran/rows': ({ registration }) => reportRowsOf.get(registration)!.waiting,
  '/api/reports/mahasiswa-fix-bayar/rows': ({ registration }) => reportRowsOf.get(registration)!.fixed,
  '/api/reports/asal-sekolah-fix-bayar/rows': submitted,
  '/api/reports/pendapatan-prodi/rows': ({ registration }) => reportRowsOf.get(registration)!.billed,
  '/api/reports/pendapatan-detail-prodi/rows': ({ registration }) => reportRowsOf.get(registration)!.booked,
  '/api/reports/voucher-afiliator/rows': ({ registration }) => reportRowsOf.get(registration)!.referred,
  '/api/reports/ukuran-almamater/rows': (trail) => (isStudent(trail) ? trail.registration : null),
  '/api/reports/camaba-cbt/rows': ({ seat }) => seat,
  '/api/reports/camaba/rows': submitted,
  '/api/reports/hasil-kelulusan/rows': ({ registration, status }) =>
    ['decided', 'confirmed', 'enrolled'].includes(status) ? registration : null,
  '/api/reports/hasil-cbt/rows': ({ registration }) => reportRowsOf.get(registration)!.scores,
  '/api/reports/berkas-sim/rows': ({ registration }) => reportRowsOf.get(registration)!.files,
  '/api/reports/status-berkas-pendaftaran/rows': ({ registration }) => reportRowsOf.get(registration)!.needed,
  '/api/reports/mahasiswa-feeder/rows': ({ registration, status }) => (status === 'enrolled' ? registration : null),
  '/api/reports/npm-mahasiswa/rows': ({ registration }) => reportRowsOf.get(registration)!.numbers,
  '/api/reports/jumlah-pendaftaran/rows': submitted,
  '/api/reports/piutang-va/rows': ({ registration }) => owedParts.get(registration) ?? [],
}
/** Lists of rows without a study programme; they are checked for leaks too. */
const ofNoProgramme =
  /^\/api\/(chat\/replies|messages|views|report-mails|settings\/|imports|exports|schools|jaket-mahasiswa\/|account\/|publications|kirim-informasi\/|seleksi\/|surat(\/massal)?$|workbook|jadwal-test|event-afiliator)|^\/api\/master\/(?!fakultas|prodi|uang-kuliah|sumbangan)/

/** Calls refused to every limited role, whatever its permissions. */
const onlyWhole =
  /^\/api\/(settings\/(audit|providers|approval-limits|opening|health|campus|feeder)|seleksi\/defaults|workbook|exports|admission-years|ops|bank-accounts|statements|statement-lines|rekonsiliasi|reconciliation-differences|score-imports|score-runs|komisi|marketing\/data-survey-siswa|marketing\/prospek(?!\/link)|dashboard\/cards\/(unreconciled|lead-calls))/

/** Calls that require the permission for the report in their query, which the actor may lack. */
const ofAReport = /^\/api\/report-mails\/(recipients|words)$/

/** Paths whose parameter does not name a row of a programme. */
const ofNobody =
  /^\/api\/(settings|chat\/replies|photo-downloads|download-foto-mahasiswa\/photo-downloads|messages|views|report-mails|account|seleksi|surat(?!\/(terbit|massal))|regions|admission-years|branding|bank-accounts|statements|statement-lines|rekonsiliasi|reconciliation-differences|workbook|jadwal-test|score-imports|score-runs|afiliator|komisi|event-afiliator|acara|tiket|survei|marketing|opt-out|uploads)\//

/** A limited role sees no import, letter batch, campaign or sheet of another account. */
const ofOthers = /^\/api\/(imports|surat\/massal|kirim-informasi)\//

const problems: string[] = []
const note = (problem: string) => {
  if (!problems.includes(problem)) problems.push(problem)
}

async function walkLists(actor: TestActor, view: View) {
  for (const route of routes) {
    if (route.method !== 'get' || route.path.includes('{') || !view.holds(route)) continue
    const callText = `GET ${route.path}`
    const answer = await actor.get(`${route.path}${queryOf(route)}`)
    const expectedStatus = onlyWhole.test(route.path) || ofAReport.test(route.path) ? 403 : 200
    // 404 and 429 reveal nothing about rows.
    if (![200, expectedStatus, 404, 429].includes(answer.statusCode))
      note(`${callText} answers ${answer.statusCode}: ${answer.body}`)
    const leakedMark = view.leaked(answer.body)
    if (leakedMark) note(`${callText} tells ${leakedMark}`)
    const isSearched = hasParameter(route, 'q') && (isWhole || view.hasAll)
    const searched = isSearched ? sampleOf(`${callText} search`, view.outside, 1) : []
    for (const { code, marks } of searched)
      for (const q of [code, marks.at(-1)!]) {
        const found = await actor.get(`${route.path}${queryOf(route, { q })}`)
        const total = found.statusCode === 200 && isList(route) ? found.json().meta.total : 0
        if (total > 0 || view.leaked(found.body.replaceAll(q, ''))) note(`${callText}?q=${q} finds what is outside`)
      }
    if (isList(route) && answer.statusCode === 200) expectRows(route, view, answer.json())
  }
}

function expectRows({ path }: Route, view: View, body: { data: Record<string, unknown>[]; meta: { total: number } }) {
  const entity = scoped.find(({ slug }) => path === `/api/master/${slug}`)
  const listed = JSON.stringify(body.data)
  if (entity) {
    const visibleIds = owned.get(entity)!.filter(view.mayRead)
    if (body.meta.total !== visibleIds.length || visibleIds.some(({ id }) => !listed.includes(id)))
      note(`GET ${path} gives ${body.meta.total} of ${visibleIds.length} rows of the scope`)
  } else if (idsOfTrail[path]) {
    const visibleIds = view.inside.flatMap((trail) => idsOfTrail[path]!(trail) ?? [])
    if (body.meta.total !== visibleIds.length || visibleIds.some((id) => !listed.includes(id)))
      note(`GET ${path} gives ${body.meta.total} of ${visibleIds.length} rows of the scope`)
  } else if (!ofNoProgramme.test(path)) note(`GET ${path}: say in this test which rows of a programme it lists`)
}

const allSlugs = () => [...new Set(routes.flatMap(({ permission }) => permission ?? []))]

/** Parts a visible registration may lack. */
const mayBeMissing =
  /^\/api\/(mahasiswa-feeder\/\{|chat\/messages\/)|\/(template|cards?\.pdf|acceptance-letter\.pdf|receipt\.pdf|content|quote|scan|student-card|files\/\{field\})$/

async function walkDetails(actor: TestActor, view: View) {
  const rows = scoped.flatMap((entity) => owned.get(entity)!.map((row) => ({ entity, ...row })))
  for (const route of routes) {
    if (!route.path.includes('{')) continue
    const callText = `${route.method.toUpperCase()} ${route.path}`
    const master = route.path.startsWith('/api/master/')
    const tries = master
      ? rows.map((row) => ({
          url: fillWithRow(route.path, row),
          visible: route.method === 'get' ? view.mayRead(row) : view.mayChange(row),
        }))
      : world.trails.map((trail) => ({
          url: fillWithTrail(route.path, trail),
          visible:
            !ofOthers.test(route.path) &&
            view.inside.includes(trail) &&
            (isStudent(trail) || !isForStudents(route, view.slugs)),
        }))
    const possible = tries.filter(
      ({ url, visible }) => url && !url.includes('{') && !(visible && route.method !== 'get'),
    )
    const inside = possible.filter(({ visible }) => visible)
    const outside = possible.filter(({ visible }) => !visible)
    // Which row an unscoped write would change depends on the row's status.
    const outsideCount = view.hasAll && route.method !== 'get' ? outside.length : 1
    const refused = isWhole || view.slugs.length === 0 ? sampleOf(callText, possible, 1) : []
    const drawn = view.holds(route)
      ? [...sampleOf(`${callText} inside`, inside, 1), ...sampleOf(`${callText} outside`, outside, outsideCount)]
      : refused
    for (const { url, visible } of drawn) {
      const answer = await send(actor, route, `${url}${queryOf(route)}`)
      const leakedMark = view.leaked(answer.body)
      if (leakedMark) note(`${callText} tells ${leakedMark}`)
      if (!view.holds(route)) {
        if (answer.statusCode !== 403) note(`${callText} answers ${answer.statusCode} without ${route.permission}`)
      } else if (visible && answer.statusCode !== 200 && !mayBeMissing.test(route.path))
        note(`${callText} of a row inside answers ${answer.statusCode}: ${answer.body}`)
      else if (!visible && answer.statusCode < 300 && !isEmpty(answer.body))
        note(`${callText} of a row outside answers ${answer.statusCode}`)
      if (answer.statusCode >= 500) note(`${callText}: ${answer.body}`)
    }
  }
}

/** Lists below a hidden row must be empty. */
const isEmpty = (body: string) => body.startsWith('{"data":[]')

const send = (actor: TestActor, route: Route, url: string, values: NamedValues = {}) => {
  if (route.method === 'get' || route.method === 'delete') return actor[route.method](url)
  const schema = bodySchemaOf(route)
  return actor[route.method](url, schema ? sampleFrom(schema, { ...namedValues(), ...values }) : {})
}

/** Bulk calls: ids of hidden rows must be refused without a name, and the rows stay unchanged. */
async function walkBulk(actor: TestActor, view: View) {
  for (const route of routes) {
    if (route.method !== 'post' || !route.path.includes('/bulk') || !view.holds(route)) continue
    const entity = scoped.find(({ slug }) => route.path.startsWith(`/api/master/${slug}/`))
    if (route.path.startsWith('/api/master/') && !entity) continue
    const ids = entity
      ? owned
          .get(entity)!
          .filter((row) => !view.mayChange(row))
          .map(({ id }) => id)
      : view.outside.map(({ registration }) => registration)
    if (ids.length === 0) continue
    const answer = await send(actor, route, route.path, { ids })
    const body = ids.reduce((text, id) => text.replaceAll(id, ''), answer.body)
    const leakedMark = view.leaked(body)
    if (leakedMark) note(`POST ${route.path} tells ${leakedMark}`)
    const { data } = answer.json() as { data?: { allowed?: unknown[]; done?: unknown[] } }
    if ((data?.allowed?.length ?? 0) + (data?.done?.length ?? 0) > 0) note(`POST ${route.path} takes rows outside`)
  }
}

const readAllRows = async () =>
  JSON.stringify(
    await Promise.all(
      [
        'registrations',
        'documents',
        'bills',
        'payments',
        'test_seats',
        'students',
        ...scoped.map(({ table }) => table),
      ].map(
        async (table) =>
          (await sql`SELECT to_jsonb(x) AS row FROM ${sql.table(table)} x ORDER BY x.id`.execute(t.db)).rows,
      ),
    ),
  )

test('a limited role sees all rows of its study programmes and none of others, with any permissions', async () => {
  const slugs = allSlugs()
  feederResultsOf = await addFeederResults()
  const rowsBefore = await readAllRows()
  const drawn = fc.record({
    slugs: fc.oneof(fc.constant(slugs), fc.subarray(slugs)),
    programmeIds: fc.subarray(world.programmes.map(({ id }) => id)),
    facultyIds: fc.oneof(
      fc.constant<string[]>([]),
      fc.subarray([...new Set(world.programmes.map(({ facultyId }) => facultyId))]),
    ),
  })
  // Each of the two middle roles holds the permissions the other lacks.
  const [first, second, third, fourth] = shuffled(
    'programmes of roles',
    world.programmes.map(({ id }) => id),
  )
  const half = shuffled('permissions of roles', slugs).slice(0, slugs.length / 2)
  const everyDay: Drawn[] = [
    { slugs, programmeIds: [first!], facultyIds: [] },
    { slugs: half, programmeIds: [second!, third!], facultyIds: [] },
    {
      slugs: slugs.filter((slug) => !half.includes(slug)),
      programmeIds: [],
      facultyIds: [world.programmes.find(({ id }) => id === fourth)!.facultyId],
    },
    { slugs: [], programmeIds: [first!], facultyIds: [] },
  ]
  await fc.assert(
    fc.asyncProperty(
      drawn.filter(({ programmeIds, facultyIds }) => programmeIds.length + facultyIds.length > 0),
      async (role) => {
        problems.length = 0
        const actor = await asWithPermissions(t, role.slugs, role)
        const view = viewOf(role)
        lettersOf = await findLetters()
        await walkLists(actor, view)
        await walkDetails(actor, view)
        await walkBulk(actor, view)
        expect(problems).toEqual([])
      },
    ),
    {
      numRuns: everyDay.length + (isWhole ? 8 : 0),
      examples: everyDay.map((role) => [role]),
      endOnFailure: true,
      seed,
    },
  )
  expect(await readAllRows()).toBe(rowsBefore)
}, 300_000)

test('a limited role enters and moves registrations only within its study programmes', async () => {
  const [ownProgramme, otherProgramme] = [world.programmes[0]!, world.programmes[2]!]
  const clerk = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-create', 'pendaftaran-edit'], {
    programmeIds: [ownProgramme.id],
  })
  const { academic } = world
  const applicant = await asApplicant(t, { profile: true })
  const newRegistration = {
    waveId: academic.wave,
    trackId: academic.tracks.regular,
    entryLevelId: academic.entryLevel,
    classProgrammeId: academic.classProgramme,
    accountId: applicant.accountId,
  }
  const createdElsewhere = await clerk.post('/pendaftaran', { ...newRegistration, choices: [otherProgramme.id] })
  expect([createdElsewhere.statusCode, Object.keys(createdElsewhere.json().errors)]).toEqual([422, ['choices']])
  const creation = await clerk.post('/pendaftaran', { ...newRegistration, choices: [ownProgramme.id] })
  expect(creation.statusCode, creation.body).toBe(201)
  const { id, version } = creation.json().data
  const changed = await clerk.put(`/pendaftaran/${id}`, { version, choices: [otherProgramme.id] })
  expect([changed.statusCode, Object.keys(changed.json().errors)]).toEqual([422, ['choices']])
  const hiddenTrail = world.trails.find(({ programmeId }) => programmeId === otherProgramme.id)!
  const createdForHidden = await clerk.post('/pendaftaran', {
    ...newRegistration,
    accountId: hiddenTrail.applicant,
    choices: [ownProgramme.id],
  })
  expect([createdForHidden.statusCode, createdForHidden.body.includes(hiddenTrail.code)]).toEqual([409, false])
})
