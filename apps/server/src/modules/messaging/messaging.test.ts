import { createServer, type Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '#server/platform/access/authorization.ts'
import { claimFile, storeBytes } from '#server/platform/files/stored-files.ts'
import { smtpTransport } from '#server/platform/mail.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { notify, sendMail } from './notify.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const outbox = async (app: TestApp, to: string) =>
  (await app.app.inject({ url: `/api/outbox?to=${encodeURIComponent(to)}` })).json()

test('a notice reaches the inbox and the outbox in the language of its receiver', async () => {
  const sari = await asApplicant(t, { language: 'id' })
  await inTransaction(t.services, systemActor, (context) =>
    notify(context, {
      accountId: sari.accountId,
      event: 'student-number-issued',
      params: { number: '26552010001', programme: 'Informatika' },
      link: '/dashboard',
    }),
  )
  await t.runJobs()
  const { data, meta } = (await sari.get('/messages')).json()
  expect(data[0]).toMatchObject({ subject: 'NPM Anda adalah 26552010001', link: '/dashboard', readAt: null })
  expect(meta).toEqual({ total: 1, total_is_estimate: false, next: null, unread: 1 })
  const [mail] = (await outbox(t, sari.email.toUpperCase())).data
  expect(mail).toMatchObject({
    status: 'sent',
    language: 'id',
    // The page opens in the language of the mail.
    link: 'http://localhost:3000/dashboard?lang=id',
    to: sari.email,
  })
})

test('the outbox offers the attachment of a mail', async () => {
  const sari = await asApplicant(t)
  const stored = await storeBytes(
    t.services,
    { ...systemActor, accountId: sari.accountId },
    'laporan.csv',
    'report-mail',
    {
      bytes: Buffer.from('a;b'),
      mime: 'text/csv',
      extension: 'csv',
    },
  )
  await inTransaction(t.services, systemActor, async (context) => {
    const { tx } = context
    await claimFile(tx, stored)
    const { accountId, email: to } = sari
    await sendMail(context, { to, accountId, language: 'en', event: 'account-exists', fileId: stored.id })
  })
  await t.runJobs()
  const [{ file }] = (await outbox(t, sari.email)).data
  expect(file.name).toBe('laporan.csv')
  const answer = await t.app.inject({ url: file.url })
  expect([answer.statusCode, answer.body]).toEqual([200, 'a;b'])
})

test('a change that is rolled back sends nothing', async () => {
  const sari = await asApplicant(t)
  const failed = inTransaction(t.services, systemActor, async (context) => {
    await notify(context, { accountId: sari.accountId, event: 'password-changed' })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow()
  await t.runJobs()
  expect((await outbox(t, sari.email)).data).toEqual([])
})

test('an account can neither read nor mark messages of another account', async () => {
  const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
  await inTransaction(t.services, systemActor, (context) =>
    notify(context, { accountId: sari.accountId, event: 'password-changed' }),
  )
  const [message] = (await sari.get('/messages')).json().data
  expect((await budi.get('/messages')).json().data).toEqual([])
  expect((await budi.put(`/messages/${message.id}/read`)).statusCode).toBe(404)
  expect((await sari.put(`/messages/${message.id}/read`)).json().data.readAt).toBeTruthy()
  expect((await sari.get('/messages?unread=true')).json().data).toEqual([])
})

test('the outbox exists only in demo mode', async () => {
  const real = await testApp({ sameDatabaseAs: t, config: { demo: false } })
  expect((await real.app.inject({ url: '/api/outbox' })).statusCode).toBe(404)
  const staff = await asApplicant(real)
  expect((await staff.get('/outbox')).statusCode).toBe(404)
  await real.close()
})

test('an unknown event throws instead of sending an empty mail', async () => {
  const sending = inTransaction(t.services, systemActor, (context) =>
    sendMail(context, { to: 'a@example.com', language: 'en', event: 'no-such-event' }),
  )
  await expect(sending).rejects.toThrow('no-such-event')
})

async function smtpServer(answer: (to: string) => Error | null) {
  const received: Awaited<ReturnType<typeof PostalMime.parse>>[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(answer(address)),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push(mail)
          done()
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return { port, received, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

test('with SMTP a mail arrives with text, link and greeting; a temporary failure is retried, a permanent one is not', async () => {
  let failures = 1
  const refusal = (code: number) => Object.assign(new Error('refused'), { responseCode: code })
  const server = await smtpServer((to) => {
    if (to.startsWith('nobody')) return refusal(550)
    return failures-- > 0 ? refusal(451) : null
  })
  const mail = smtpTransport(`smtp://127.0.0.1:${server.port}`, 'PMB Demo <pmb@demo.test>')
  const app = await testApp({ mail })
  const sari = await asApplicant(app, { name: 'Sari <b>' })
  await inTransaction(app.services, systemActor, (context) =>
    notify(context, { accountId: sari.accountId, event: 'verify-email', link: '/verify-email/abc' }),
  )
  await inTransaction(app.services, systemActor, (context) =>
    sendMail(context, { to: 'nobody@example.com', language: 'en', event: 'account-exists' }),
  )
  await app.runJobs()
  const state = async (to: string) => (await outbox(app, to)).data[0].status
  expect(await state(sari.email)).toBe('queued')
  expect(await state('nobody@example.com')).toBe('failed')

  app.clock.set(new Date(Date.now() + 3_600_000))
  await app.runJobs()
  expect(await state(sari.email)).toBe('sent')
  expect(server.received).toHaveLength(1)
  const [arrived] = server.received
  expect(arrived!.to![0]!.address).toBe(sari.email)
  expect(arrived!.subject).toBe('Confirm your e-mail address')
  expect(arrived!.text).toContain('http://localhost:3000/verify-email/abc')
  expect(arrived!.html).toContain('Sari &lt;b&gt;')
  await app.close()
  await server.close()
})

test('a mail stays queued if the mail server does not answer', async () => {
  const sockets: Socket[] = []
  const dead = createServer((socket) => {
    sockets.push(socket)
    socket.destroy()
  })
  await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
  const app = await testApp({
    mail: smtpTransport(`smtp://127.0.0.1:${(dead.address() as { port: number }).port}`, 'a@b.id'),
  })
  await inTransaction(app.services, systemActor, (context) =>
    sendMail(context, { to: 'x@example.com', language: 'en', event: 'account-exists' }),
  )
  await app.runJobs()
  const message = await app.db.selectFrom('messages').select(['status', 'attempts', 'error']).executeTakeFirstOrThrow()
  expect(message).toMatchObject({ status: 'queued', attempts: 1 })
  expect(message.error).toBeTruthy()
  await app.close()
  dead.close()
})
