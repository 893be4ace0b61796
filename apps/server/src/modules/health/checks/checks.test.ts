import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckOutcome, CheckResult } from '#domain/health/endpoints.ts'
import type { Config } from '#server/config.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aXendit } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { checkMailDomain } from './mail-domain.ts'
import { checkStorage } from './storage.ts'

let t: TestApp
let administrator: TestActor

beforeAll(async () => {
  t = await testApp()
  administrator = await asStaff(t)
})
afterAll(() => t.close())

/** A server on the database of `t` with other settings, until `work` has ended. */
async function withServer<T>(config: Partial<Config>, work: (actor: TestActor, app: TestApp) => Promise<T>) {
  const app = await testApp({ sameDatabaseAs: t, config })
  try {
    return await work(await asStaff(app), app)
  } finally {
    await app.close()
  }
}

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
    withServer({ mail: { smtpUrl, from: 'PMB <pmb@example.ac.id>' } }, async (actor) => {
      const answer = await actor.post('/settings/health/checks/mail', { to })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).not.toContain(password)
      expect(answer.body).not.toContain(encodeURIComponent(password))
      return (answer.json().data as CheckOutcome).results[0]!
    })

  test('arrives, and the words of the server are told', async () => {
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

  test('a wrong password is told as such, with 535 of the server', async () => {
    const server = await smtpServer()
    const result = await send(urlOf(server.port, 'wrong'))
    expect(result).toMatchObject({ code: 'mail-auth', state: 'red', answer: '535 Authentication failed' })
    await server.close()
  })

  test('a server that repeats the password does not bring it onto the page', async () => {
    const server = await smtpServer({ onRcptTo: (_to, _session, done) => done(refusal(550, `no, ${password}`)) })
    expect((await send(urlOf(server.port))).answer).toBe('550 no, ••••')
    await server.close()
  })

  test('nor does one that repeats what AUTH PLAIN sent', async () => {
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

  test('an encrypted port that speaks plain', async () => {
    const server = await smtpServer()
    const result = await send(urlOf(server.port).replace('smtp:', 'smtps:'))
    expect(result.code).toBe('mail-tls')
    await server.close()
  })

  test('without a mail server nothing is sent', async () => {
    expect(await send(undefined)).toMatchObject({ code: 'mail-outbox', state: 'soon' })
  })

  test('goes only to an address, only through the configured server, and ten times in five minutes', async () => {
    await withServer({}, async (actor) => {
      const post = (body: object) => actor.post('/settings/health/checks/mail', body)
      expect((await post({ to: 'no address' })).statusCode).toBe(422)
      expect((await post({ to: 'a@b.id', host: '10.0.0.1' })).statusCode).toBe(422)
      const codes: number[] = []
      for (let i = 0; i < 10; i++) codes.push((await post({ to: 'a@b.id' })).statusCode)
      expect(codes).toContain(429)
      expect(codes.filter((code) => code === 200)).toHaveLength(8)
    })
  })

  test('sent twice with one key leaves once', async () => {
    const server = await smtpServer()
    await withServer({ mail: { smtpUrl: urlOf(server.port), from: 'pmb@example.ac.id' } }, async (actor) => {
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

/** Answers TXT questions on loopback; other names do not exist. */
async function dnsServer(records: Record<string, string[]>) {
  const socket = dgram.createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at]!; length > 0; length = question[at]!) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    questions.push(name)
    const texts = records[name]
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(texts ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(texts?.length ?? 0, 6)
    head.writeUInt32BE(0, 8)
    const answers = (texts ?? []).map((text) => {
      // A text longer than 255 characters comes in parts.
      const parts = text
        .match(/.{1,200}/g)!
        .map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))
      const data = Buffer.concat(parts)
      const fixed = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
      fixed.writeUInt16BE(data.length, 10)
      return Buffer.concat([fixed, data])
    })
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

describe('the domain of the mails', () => {
  async function look(records: Record<string, string[]>, { selector = '', from = 'PMB <pmb@kampus.ac.id>' } = {}) {
    const server = await dnsServer(records)
    const config = {
      ...t.services.config,
      mail: { smtpUrl: 'smtp://u:p@mail.kampus.ac.id:587', from },
      dnsServers: [server.address],
    }
    const results = await checkMailDomain(config, selector)
    await server.close()
    const of = (start: string) => results.find(({ code }) => code.startsWith(start)) as CheckResult
    return { results, spf: of('spf'), dkim: of('dkim'), dmarc: of('dmarc'), questions: server.questions }
  }

  test('without records each is told with the exact record to add', async () => {
    const { spf, dkim, dmarc } = await look({})
    expect(spf).toMatchObject({
      code: 'spf-missing',
      state: 'red',
      record: { name: 'kampus.ac.id', type: 'TXT', value: 'v=spf1 a:mail.kampus.ac.id mx ~all' },
    })
    expect(dkim).toMatchObject({ code: 'dkim-missing', record: { name: 'mail._domainkey.kampus.ac.id' } })
    expect(dmarc).toMatchObject({
      code: 'dmarc-missing',
      record: { name: '_dmarc.kampus.ac.id', value: 'v=DMARC1; p=none; rua=mailto:postmaster@kampus.ac.id' },
    })
  })

  test('with all three all is well, also with a key longer than 255 characters', async () => {
    const key = `v=DKIM1; k=rsa; p=${'A'.repeat(390)}`
    const { results, dkim } = await look({
      'kampus.ac.id': ['google-site-verification=x', 'v=spf1 include:_spf.google.com ~all'],
      'google._domainkey.kampus.ac.id': [key],
      '_dmarc.kampus.ac.id': ['v=DMARC1; p=quarantine'],
    })
    expect(results.map(({ code }) => code)).toEqual(['spf-ok', 'dkim-ok', 'dmarc-ok'])
    expect(dkim).toMatchObject({ answer: key, facts: { selector: 'google' } })
  })

  test('two SPF records cancel each other, and +all lets everybody send', async () => {
    expect((await look({ 'kampus.ac.id': ['v=spf1 mx ~all', 'v=spf1 a -all'] })).spf).toMatchObject({ code: 'spf-two' })
    expect((await look({ 'kampus.ac.id': ['v=spf1 mx +all'] })).spf).toMatchObject({
      code: 'spf-open',
      record: { value: 'v=spf1 mx ~all' },
    })
  })

  test('a key under a name of one’s own is found by its selector, and an empty one is withdrawn', async () => {
    const records = {
      'pmb2026._domainkey.kampus.ac.id': ['v=DKIM1; p=MIGf'],
      'mail._domainkey.kampus.ac.id': ['v=DKIM1; p='],
    }
    expect((await look(records)).dkim.code).toBe('dkim-revoked')
    const { dkim, questions } = await look(records, { selector: 'pmb2026' })
    expect(dkim.code).toBe('dkim-ok')
    expect(questions.filter((name) => name.includes('_domainkey'))).toEqual(['pmb2026._domainkey.kampus.ac.id'])
  })

  test('DMARC that only watches is a good beginning, and is inherited from the domain above', async () => {
    const records = { '_dmarc.kampus.ac.id': ['v=DMARC1; p=none; rua=mailto:a@kampus.ac.id'] }
    expect((await look(records)).dmarc).toMatchObject({
      code: 'dmarc-none',
      state: 'ok',
      record: { value: 'v=DMARC1; p=quarantine; rua=mailto:a@kampus.ac.id' },
    })
    expect((await look(records, { from: 'pmb@pmb.kampus.ac.id' })).dmarc.code).toBe('dmarc-none')
    // Nobody publishes records for ac.id.
    expect((await look({ '_dmarc.ac.id': ['v=DMARC1; p=reject'] })).dmarc.code).toBe('dmarc-missing')
  })

  test('an address that is not on the internet is not looked up', async () => {
    const { results, questions } = await look({}, { from: 'PMB Online <no-reply@localhost>' })
    expect(results).toMatchObject([{ code: 'mail-from-local', state: 'red' }])
    expect(questions).toEqual([])
  })

  test('DNS that does not answer is told without guessing', { timeout: 60_000 }, async () => {
    const silent = dgram.createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const config = {
      ...t.services.config,
      mail: { smtpUrl: undefined, from: 'pmb@kampus.ac.id' },
      dnsServers: [`127.0.0.1:${silent.address().port}`],
    }
    expect(await checkMailDomain(config, 'mail')).toMatchObject([{ code: 'dns-failed', state: 'soon' }])
    silent.close()
  })

  test('a selector cannot lead to another domain', async () => {
    for (const selector of ['a b', 'x/y', 'evil.example\u0000'])
      expect((await administrator.post('/settings/health/checks/mail-domain', { selector })).statusCode).toBe(422)
  })
})

describe('storage, time and backups', () => {
  const check = async (actor: TestActor, name: string) => {
    const answer = await actor.post(`/settings/health/checks/${name}`, {})
    expect(answer.statusCode).toBe(200)
    return (answer.json().data as CheckOutcome).results
  }

  test('storage is written, read and emptied again', async () => {
    expect(await check(administrator, 'storage')).toMatchObject([{ code: 'storage-ok', state: 'ok' }])
    const folder = path.join(t.services.config.dataDir, 'files/health')
    expect(fs.readdirSync(folder)).toEqual([])
  })

  test.each([
    ['a full disk', { code: 'ENOSPC' }, 'storage-full'],
    ['a folder of another user', { code: 'EACCES' }, 'storage-forbidden'],
    ['a bucket that does not exist', { name: 'NoSuchBucket' }, 'storage-bucket'],
    ['a wrong secret of S3', { name: 'SignatureDoesNotMatch' }, 'storage-key'],
    ['an endpoint that does not answer', { code: 'ECONNREFUSED' }, 'storage-unreachable'],
  ])('%s is told in words', async (_name, error, code) => {
    const put = () => Promise.reject(Object.assign(new Error('refused'), error))
    const files = { ...t.services.files, put } as FileStore
    expect(await checkStorage({ ...t.services, files })).toMatchObject([{ code, state: 'red' }])
  })

  test('bytes that come back changed are told', async () => {
    const files = { ...t.services.files, bytes: async () => Buffer.from('other') } as FileStore
    expect(await checkStorage({ ...t.services, files })).toMatchObject([{ code: 'storage-differs', state: 'red' }])
  })

  test('the time agrees with the database, and an hour of difference is red', async () => {
    expect((await check(administrator, 'time'))[0]).toMatchObject({ code: 'time-ok' })
    t.clock.set(new Date(Date.now() + 3_600_000))
    expect((await check(administrator, 'time'))[0]).toMatchObject({ code: 'time-differs', state: 'red' })
    t.clock.reset()
  })

  test('a missing folder of backups, one on the disk of the data, and one that is a file', async () => {
    const dataDir = fs.mkdtempSync(path.join(t.services.config.dataDir, 'checks-'))
    const backupDir = path.join(dataDir, 'backups')
    await withServer({ dataDir, backupDir }, async (actor) => {
      expect(await check(actor, 'backup')).toMatchObject([{ code: 'backup-folder-missing', state: 'red' }])
      fs.mkdirSync(backupDir)
      const codes = (await check(actor, 'backup')).map(({ code }) => code)
      expect(codes).toContain('backup-folder-same-disk')
      expect(fs.readdirSync(backupDir)).toEqual([])
      fs.rmdirSync(backupDir)
      fs.writeFileSync(backupDir, '')
      expect(await check(actor, 'backup')).toMatchObject([{ code: 'backup-folder-forbidden', state: 'red' }])
    })
    fs.rmSync(dataDir, { recursive: true })
  })

  test('the last result stays on the page with its time and person, and in the audit log', async () => {
    await check(administrator, 'storage')
    const { checks } = (await administrator.get('/settings/health/checks')).json().data
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'storage', state: 'ok', checkedBy: 'Petugas Administrator' }),
    )
    const audit = await t.db
      .selectFrom('auditLog')
      .select('subjectId')
      .where('action', '=', 'connection.check')
      .where('subjectId', '=', 'storage')
      .execute()
    expect(audit.length).toBeGreaterThan(0)
  })
})

describe('the first signed call of a bank', () => {
  test('is shown when it comes, with the last refused one before it', async () => {
    const { peer } = await aXendit(t, 'bank-x')
    const standing = async () => (await administrator.get('/settings/health/checks')).json().data.banks[0]
    expect(await standing()).toMatchObject({ name: 'bank-x', verifiedAt: null, refused: null, answeredAt: null })
    await t.app.inject({
      method: 'POST',
      url: '/api/providers/bank-x/report',
      headers: { 'x-callback-token': 'not the token' },
      payload: { id: 'one' },
    })
    expect(await standing()).toMatchObject({ verifiedAt: null, refused: { outcome: 'wrong_signature' } })
    await sql`INSERT INTO bank_reports (provider, body, headers, received_at, outcome)
      VALUES ('bank-x', '', '{}', now(), 'ignored')`.execute(t.owner)
    await sql`INSERT INTO bank_calls (provider, action, method, url, status, called_at, took_ms)
      VALUES ('bank-x', 'check', 'GET', 'https://bank.invalid', NULL, now(), 5)`.execute(t.owner)
    const now = await standing()
    expect(now).toMatchObject({ verifiedAt: expect.any(String), unanswered: { problem: '' } })
    await peer.close()
  })
})
