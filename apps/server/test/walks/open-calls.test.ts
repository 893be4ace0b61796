import { afterAll, beforeAll, expect, test } from 'vitest'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type FullUniversity, fullUniversity } from '#server-test/factories/universities/full-university.ts'
import { bodySchemaOf, type Route, routesOf } from '#server-test/routes.ts'
import { sampleFrom } from '#server-test/sample.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Calls without a permission, limited to the caller's own rows. */
const ofTheCaller = [
  'GET /account',
  'GET /account/data-sheet.pdf',
  'GET /account/driving-licence',
  'PUT /account/driving-licence',
  'POST /account/driving-licence/scan',
  'POST /account/email',
  'GET /account/export',
  'GET /account/files',
  'POST /account/password',
  'PUT /account/preferences',
  'GET /account/opt-outs',
  'PUT /account/opt-outs',
  'GET /account/prospek',
  'GET /account/questionnaire',
  'PUT /account/questionnaire',
  'GET /account/sessions',
  'DELETE /account/sessions',
  'DELETE /account/sessions/:id',
  'GET /account/study-intent',
  'PUT /account/study-intent',
  'GET /account/totp',
  'POST /account/totp',
  'POST /account/totp/confirm',
  'POST /account/totp/off',
  'POST /account/totp/recovery-codes',
  'GET /account/enrolment-data/:id',
  'PUT /account/enrolment-data/:id',
  'GET /account/letters/:id',
  'POST /account/letters/:id',
  'GET /account/letters/:id/:letterId/file.pdf',
  'GET /calendar.ics',
  'GET /auth/menus',
  'GET /auth/my-profile',
  'PUT /auth/my-profile',
  'GET /auth/my-profile/special-needs',
  'PUT /auth/my-profile/special-needs',
  'POST /auth/my-profile/photo',
  'GET /auth/permissions',
  'POST /auth/see-as/end',
  'GET /auth/verify-email',
  'POST /auth/verify-email/resend',
  'GET /imports/:id',
  'POST /imports/:id/cancel',
  'POST /imports/:id/check',
  'GET /imports/:id/file',
  'GET /imports/:id/problem-rows',
  'GET /imports/:id/problems',
  'GET /imports/:id/problems/export',
  'POST /imports/:id/run',
  'POST /logout',
  'GET /messages',
  'PUT /messages/:id/read',
  'PUT /messages/read',
  'POST /persetujuan/:id/withdraw',
  'GET /chat/own',
  'GET /chat/own/messages',
  'POST /chat/own/messages',
  'POST /chat/own/files',
  'POST /chat/own/whatsapp',
  'PUT /chat/own/read',
  'POST /chat/own/writing',
  'POST /uploads',
  'GET /uploads/:id',
  'POST /uploads/:id/pieces',
  'GET /chat/messages/:id/file',
  'GET /chat/stream',
  'GET /report-mails',
  'POST /report-mails',
  'GET /report-mails/export',
  'GET /report-mails/:id',
  'PUT /report-mails/:id',
  'DELETE /report-mails/:id',
  'PUT /report-mails/:id/active',
  'POST /report-mails/:id/send',
  'GET /report-mails/:id/runs',
  'GET /report-mails/:id/runs/export',
  'GET /views',
  'POST /views',
  'PUT /views/:id',
  'DELETE /views/:id',
]

/** Calls without a permission, for another reason. */
const ofEverybodySignedIn: Record<string, string> = {
  'GET /auth/my-profile/options': 'religions, ethnic groups and school types of the profile form, by name',
  'GET /calendar':
    'dates of the waves and tracks; own tests, bills and offers; sessions for staff who hold jadwal-test-view',
  'GET /dashboard': 'an applicant’s own registrations; numbers of registrations for staff who hold pendaftaran-view',
  'GET /dashboard/cards': 'names of the cards that the reader’s permissions open; each card asks for its own',
  'GET /help': 'questions that people ask on a page, office hours, and how to reach the office',
  'GET /regions/:level': 'names of regions for addresses',
  'GET /report-mails/recipients':
    'asks for the permission of the report; staff in scope who hold it, addresses shortened',
  'GET /report-mails/words': 'asks for the permission of the report; its filters in words',
  'GET /restored': 'nothing for who does not handle money; else moments and counts, no person',
  'GET /schools/search': 'schools an applicant comes from, with their address at most',
  'POST /schools/propose': 'adds a school that is missing; answers with that school',
  'GET /search': 'each kind of hit asks for its own permission, and shows rows in scope',
}

/** Public calls, with the reason. */
const ofEverybody: Record<string, string> = {
  'GET /*': 'pages and pictures of the web app',
  'GET /api/docs': 'describes the calls',
  'GET /api/docs/json': 'describes the calls',
  'GET /api/docs/static/*': 'describes the calls',
  'GET /api/docs/static/index.html': 'describes the calls',
  'GET /api/docs/static/swagger-initializer.js': 'describes the calls',
  'GET /api/docs/yaml': 'describes the calls',
  'GET /auth/google/callback': 'sign-in',
  'GET /afiliator': 'affiliates with a public page, for visitors',
  'GET /afiliator/:id': 'the public page of an affiliate, for visitors',
  'GET /afiliator/:id/photo': 'the photo on that page',
  'POST /marketing/prospek/link': 'takes the link of a lead: a first name, more with digits of the phone',
  'POST /afiliator/touches': 'a visit by an affiliate’s link, before there is an account',
  'GET /acara': 'coming public events, for visitors',
  'GET /acara/:slug': 'the public page of an event, for visitors',
  'POST /acara/:slug/visitors':
    'a registration without an account; shows nothing of a person who is registered already',
  'GET /tiket/:code': 'takes the code of the ticket',
  'PUT /tiket/:code/session': 'takes the code of the ticket',
  'POST /tiket/:code/cancel': 'takes the code of the ticket',
  'GET /tiket/:code/calendar.ics': 'takes the code of the ticket',
  'GET /tiket/:code/materials/:materialId': 'takes the code of the ticket',
  'GET /survei/:slug': 'a survey, by the address on its QR code',
  'GET /survei/:slug/schools': 'schools to choose from in that survey',
  'POST /survei/:slug/responses': 'answers of somebody who has no account',
  'POST /survei/:slug/responses/:id/photos/:photoId': 'a photo that such an answer names',
  'GET /auth/google/start': 'sign-in',
  'POST /auth/google/exchange': 'sign-in: takes the one-time code that Google sent back',
  'GET /auth/options': 'which ways of signing in there are',
  'POST /auth/setup': 'takes the one-time link of the server’s output',
  'POST /auth/setup/check': 'takes the one-time link of the server’s output',
  'POST /auth/invitation': 'takes the one-time link of a mail',
  'POST /auth/invitation/check': 'takes the one-time link of a mail',
  'POST /auth/verify-email': 'takes the one-time link of a mail',
  'GET /bayar/:token': 'takes the signed token of a payment link: initials, programme and amount of one bill',
  'GET /bayar/:token/dibuka.gif': 'takes the signed token of a payment link; notes that its page was opened',
  'POST /bayar/:token/nomor': 'takes the signed token of a payment link; asks for a transfer number of its bill',
  'POST /bayar/:token/periksa': 'takes the signed token of a payment link; asks the bank about its number',
  'GET /bayar/:token/kuitansi/:paymentId': 'takes the signed token of a payment link; a receipt of its bill',
  'GET /branding': 'name and colours of the university',
  'GET /branding/logo/:id': 'logo of the university',
  'GET /campus/students': 'takes a token of the campus system',
  'GET /files/:id/download': 'takes a key made for one reader and file',
  'GET /api/getImage': 'takes a key made for one reader and picture',
  'GET /photo-downloads/:id/file': 'takes a key made for one download of photos',
  'GET /getImage': 'takes a key made for one reader and picture',
  'POST /forgot_password': 'sign-in: the same answer whether the address exists',
  'GET /health': 'for monitors',
  'GET /ready': 'for monitors',
  'GET /intake': 'what is open to register for, for visitors',
  'GET /intake/options': 'what is open to register for, for visitors',
  'POST /login': 'sign-in',
  'POST /sign-in': 'sign-in without scripts: makes the call above',
  'POST /sign-up': 'sign-up without scripts: makes the call of register',
  'GET /daftar': 'what it costs to study here, for visitors and search engines',
  'GET /daftar/prodi/:code': 'what a study programme costs, for visitors and search engines',
  'GET /robots.txt': 'tells search engines which pages are public',
  'GET /sitemap.xml': 'names the public pages for search engines',
  'GET /metrics': 'for monitors: takes the token of the installation, and is off without one',
  'POST /mail-reports': 'the mail service: takes the secret of the installation, and is off without one',
  'GET /opt-out/:token': 'takes the signed token of a message; shows its address with the middle hidden',
  'PUT /opt-out/:token': 'takes the signed token of a message',
  'POST /opt-out/:token': 'mail programs: takes the signed token of a message',
  'GET /outbox': 'demo mode only',
  'POST /providers/:provider/report': 'banks: the report is signed',
  'POST /register': 'sign-up',
  'POST /reset_password': 'takes the one-time link of a mail',
  'GET /sandbox-bank/:number': 'the demo bank, demo mode only',
  'POST /sandbox-bank/:number': 'the demo bank, demo mode only',
  'POST /snap/:code/v1.0/access-token/b2b': 'banks: the call is signed',
  'POST /snap/:code/v1.0/transfer-va/inquiry': 'banks: the call is signed',
  'POST /snap/:code/v1.0/transfer-va/payment': 'banks: the call is signed',
  'GET /verifikasi-kuitansi/:code': 'takes the sealed code printed on a receipt',
  'GET /verifikasi/:code': 'takes the sealed code printed on a card or a letter',
  'POST /verify_token': 'sign-in: takes a token',
  'GET /whatsapp/webhook/:id': 'Meta: takes the verify token',
  'POST /whatsapp/webhook/:id': 'Meta: the report is signed',
}

let t: TestApp
let world: FullUniversity
let routes: Route[]
beforeAll(async () => {
  t = await testApp()
  world = await fullUniversity(t)
  routes = routesOf(t.app).filter(({ operation, permission }) => operation.security && !permission)
}, 120_000)
afterAll(() => t.close())

const isNamed = (name: string, list: Iterable<string>) => {
  const named = new Set(list)
  return named.has(name) || named.has(name.replace(' /api/', ' /'))
}

/** Routes with this access, without scripts and styles of the web app, which exist only after a build. */
const declared = (access: string) =>
  t.app.declaredRoutes
    .filter((route) => route.access === access && route.path !== '/app/*')
    .map(({ method, path }) => `${method.replace('HEAD,', '')} ${path}`)

test('every call without a permission is listed here, as limited to own rows or with a reason', () => {
  const signedIn = [...ofTheCaller, ...Object.keys(ofEverybodySignedIn)]
  const open = Object.keys(ofEverybody)
  expect(declared('signed-in').filter((name) => !isNamed(name, signedIn))).toEqual([])
  expect(declared('public').filter((name) => !isNamed(name, open))).toEqual([])
  const all = [...declared('signed-in'), ...declared('public')]
  const served = new Set([...all, ...all.map((name) => name.replace(' /api/', ' /'))])
  expect([...signedIn, ...open].filter((name) => !served.has(name))).toEqual([])
})

const filled = (path: string) =>
  path.replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string) => `${before}/${world.ids[before] ?? 'provinces'}`)

const send = (actor: TestActor, route: Route) => {
  const required = (route.operation.parameters ?? []).filter((one) => one.in === 'query' && one.required)
  const query = new URLSearchParams(required.map(({ name, schema }) => [name, String(sampleFrom(schema, {}, name))]))
  const path = `${filled(route.path)}?${query}`
  if (route.method === 'get' || route.method === 'delete') return actor[route.method](path)
  const schema = bodySchemaOf(route)
  return actor[route.method](path, schema ? sampleFrom(schema, { email: 'baru@contoh.test' }) : {})
}

test.each([
  ['an applicant', () => asApplicant(t, { name: 'Orang Lain' })],
  ['staff whose role may do nothing', () => asWithPermissions(t, [], {}, { name: 'Orang Lain' })],
])('%s learns nothing about others from calls that require no permission', async (_, someone) => {
  const { afiliator, voucher, diskon } = world.rows
  const marks = [
    ...world.trails.flatMap((trail) => trail.marks),
    ...[afiliator, voucher, diskon].flatMap((row) => [row!.id, String(row!.code)]),
    ...[afiliator!.phone, afiliator!.bankAccount, world.admin.email].map(String),
    ...['Pesan rahasia', 'Tampilan rahasia', 'Kiriman rahasia', 'Temuan rahasia', 'Sekolah rahasia'],
  ]
  const actor = await someone()
  const wrong: string[] = []
  for (const route of routes) {
    if (route.path.endsWith('/logout')) continue
    const answer = await send(actor, route)
    const leakedMark = marks.find((mark) => answer.body.includes(mark))
    const what = `${route.method.toUpperCase()} ${route.path} → ${answer.statusCode}`
    if (leakedMark) wrong.push(`${what} tells ${leakedMark}`)
    if (route.path.includes('{id}') && answer.statusCode < 300) wrong.push(`${what} succeeds`)
    if (answer.statusCode >= 500) wrong.push(`${what}: ${answer.body}`)
  }
  for (const q of marks.filter((mark) => mark.length > 1)) {
    const { data } = (await actor.get(`/search?q=${encodeURIComponent(q)}`)).json()
    if (data?.length > 0) wrong.push(`search for ${q} finds ${JSON.stringify(data)}`)
  }
  expect(wrong).toEqual([])
})
