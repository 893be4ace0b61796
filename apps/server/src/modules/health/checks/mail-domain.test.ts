import dgram from 'node:dgram'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckResult } from '#domain/health/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { checkMailDomain } from './mail-domain.ts'

let t: TestApp
let administrator: TestActor

beforeAll(async () => {
  t = await testApp()
  administrator = await asStaff(t)
})
afterAll(() => t.close())

/** Answers TXT queries on loopback; other names do not exist. */
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
      // Texts longer than 255 characters are sent in parts.
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

describe('the domain of the sender', () => {
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

  test('without records each check names the exact record to add', async () => {
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

  test('with all three records all checks pass, even with a key longer than 255 characters', async () => {
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

  test('a key under a custom name is found by its selector, and an empty key counts as withdrawn', async () => {
    const records = {
      'pmb2026._domainkey.kampus.ac.id': ['v=DKIM1; p=MIGf'],
      'mail._domainkey.kampus.ac.id': ['v=DKIM1; p='],
    }
    expect((await look(records)).dkim.code).toBe('dkim-revoked')
    const { dkim, questions } = await look(records, { selector: 'pmb2026' })
    expect(dkim.code).toBe('dkim-ok')
    expect(questions.filter((name) => name.includes('_domainkey'))).toEqual(['pmb2026._domainkey.kampus.ac.id'])
  })

  test('DMARC that only monitors passes, and is inherited from the parent domain', async () => {
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

  test('DNS that does not answer is reported without guessing', { timeout: 60_000 }, async () => {
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
