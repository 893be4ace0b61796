import net from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckOutcome } from '#domain/health/endpoints.ts'
import { withSettings } from '#server-test/factories/installation/other-settings.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

describe('a test message', () => {
  const refusal = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })
  const password = 'p@ss word'

  async function smtpServer(options: SMTPServerOptions = {}) {
    const received: Awaited<ReturnType<typeof PostalMime.parse>>[] = []
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) =>
        auth.password === password ? done(null, { user: 'pmb' }) : done(refusal(535, 'Authentication failed')),
      onData(stream, _session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
            received.push(mail)
            done(null, 'queued as 4F1A2')
          })
        })
      },
      ...options,
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as { port: number }
    return { port, received, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
  }

  const urlOf = (port: number, word = password) => `smtp://pmb:${encodeURIComponent(word)}@127.0.0.1:${port}`
  const send = (smtpUrl: string | undefined, to = 'it@example.ac.id') =>
    withSettings(t, { mail: { smtpUrl, from: 'PMB <pmb@example.ac.id>' } }, async (actor) => {
      const answer = await actor.post('/settings/health/checks/mail', { to })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).not.toContain(password)
      expect(answer.body).not.toContain(encodeURIComponent(password))
      return (answer.json().data as CheckOutcome).results[0]!
    })

  test("arrives, and the server's answer is shown", async () => {
    const server = await smtpServer()
    expect(await send(urlOf(server.port))).toMatchObject({
      code: 'mail-queued',
      state: 'ok',
      answer: '250 queued as 4F1A2',
      facts: { to: 'it@example.ac.id', host: `127.0.0.1:${server.port}` },
    })
    expect(server.received[0]).toMatchObject({
      subject: expect.stringMatching(/^Test message of /),
      from: { address: 'pmb@example.ac.id' },
      to: [{ address: 'it@example.ac.id' }],
    })
    await server.close()
  })

  test("a wrong password is reported as such, with the server's 535", async () => {
    const server = await smtpServer()
    const result = await send(urlOf(server.port, 'wrong'))
    expect(result).toMatchObject({ code: 'mail-auth', state: 'red', answer: '535 Authentication failed' })
    await server.close()
  })

  test('a password repeated by the server is not shown on the page', async () => {
    const server = await smtpServer({ onRcptTo: (_to, _session, done) => done(refusal(550, `no, ${password}`)) })
    expect((await send(urlOf(server.port))).answer).toBe('550 no, ••••')
    await server.close()
  })

  test('an AUTH PLAIN text repeated by the server is not shown either', async () => {
    const user = new URL(urlOf(1)).username
    const sent = Buffer.from(`\0${user}\0${password}`).toString('base64')
    const server = await smtpServer({ onRcptTo: (_to, _session, done) => done(refusal(550, `AUTH PLAIN ${sent}`)) })
    expect((await send(urlOf(server.port))).answer).toBe('550 AUTH PLAIN ••••')
    await server.close()
  })

  test.each([
    ['a refused recipient', 'onRcptTo', 550, 'mail-recipient'],
    ['a refused sender', 'onMailFrom', 553, 'mail-sender'],
    ['greylisting', 'onRcptTo', 451, 'mail-later'],
  ] as const)('%s', async (_name, hook, status, code) => {
    const server = await smtpServer({
      [hook]: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
        done(refusal(status, '5.1.1 in the words of the server')),
    })
    expect(await send(urlOf(server.port))).toMatchObject({ code, answer: `${status} 5.1.1 in the words of the server` })
    await server.close()
  })

  test('a refused message', async () => {
    const server = await smtpServer({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(refusal(554, 'looks like spam')))
      },
    })
    expect(await send(urlOf(server.port))).toMatchObject({ code: 'mail-refused', answer: '554 looks like spam' })
    await server.close()
  })

  test('a server that hangs is given up after eight seconds', { timeout: 30_000 }, async () => {
    const sockets: net.Socket[] = []
    const server = net.createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const startMs = performance.now()
    expect(await send(urlOf((server.address() as net.AddressInfo).port))).toMatchObject({ code: 'mail-timeout' })
    expect(performance.now() - startMs).toBeLessThan(20_000)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  test('a port where nothing listens', async () => {
    const server = await smtpServer()
    await server.close()
    expect(await send(urlOf(server.port))).toMatchObject({ code: 'mail-unreachable', state: 'red' })
  })

  test('an encrypted port that answers in plain text', async () => {
    const server = await smtpServer()
    const result = await send(urlOf(server.port).replace('smtp:', 'smtps:'))
    expect(result.code).toBe('mail-tls')
    await server.close()
  })

  test('without a mail server nothing is sent', async () => {
    expect(await send(undefined)).toMatchObject({ code: 'mail-outbox', state: 'soon' })
  })

  test('goes to one address only, through the configured server only, and at most ten times in five minutes', async () => {
    await withSettings(t, {}, async (actor) => {
      const post = (body: object) => actor.post('/settings/health/checks/mail', body)
      expect((await post({ to: 'no address' })).statusCode).toBe(422)
      expect((await post({ to: 'a@b.id', host: '10.0.0.1' })).statusCode).toBe(422)
      const codes: number[] = []
      for (let i = 0; i < 10; i++) codes.push((await post({ to: 'a@b.id' })).statusCode)
      expect(codes).toContain(429)
      expect(codes.filter((code) => code === 200)).toHaveLength(8)
    })
  })

  test('sent twice with one idempotency key leaves once', async () => {
    const server = await smtpServer()
    await withSettings(t, { mail: { smtpUrl: urlOf(server.port), from: 'pmb@example.ac.id' } }, async (actor) => {
      const post = () =>
        actor.post(
          '/settings/health/checks/mail',
          { to: 'it@example.ac.id' },
          { 'idempotency-key': 'one-message-0001' },
        )
      expect((await post()).json()).toEqual((await post()).json())
    })
    expect(server.received).toHaveLength(1)
    await server.close()
  })
})
