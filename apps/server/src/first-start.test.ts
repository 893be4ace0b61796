import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase, templateName } from '#server-test/database.ts'
import { codeAt } from '#server-test/factories/accounts.ts'

const name = `pmb_test_first_${process.pid}`
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-first-'))
const templateUrl = inject('templateUrl')
beforeAll(() => createDatabase(templateUrl, name, 'template0'))
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await dropDatabase(templateUrl, name)
  fs.rmSync(dataDir, { recursive: true, force: true })
})

type Server = { child: ChildProcess; url: string; output(): string; stop(): Promise<void> }
const started: Server[] = []

/** Starts the product as `npm start` does; resolves once it serves and has printed everything. */
function start(): Promise<Server> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'main.mjs')], {
    env: {
      ...process.env,
      DATABASE_URL: templateUrl.replace(`/${templateName}`, `/${name}`),
      PMB_DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'debug',
    },
  })
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /ready at (http:\/\/localhost:\d+)/.exec(output)?.[1]
      if (!url || server.url) return
      server.url = url
      started.push(server)
      setTimeout(() => resolve(server), 1_500)
    }
    const server: Server = {
      child,
      url: '',
      output: () => output,
      stop: () =>
        new Promise((done) => {
          child.once('exit', () => done())
          child.kill('SIGTERM')
        }),
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
  })
}

const secretIn = (output: string) => /\/setup\/([\w-]{43})/.exec(output)?.[1]

test('an empty database of DATABASE_URL leads from the printed address to a signed-in administrator who may open settings', async () => {
  const first = await start()
  const firstSecret = secretIn(first.output())!
  expect(firstSecret).toBeDefined()
  await first.stop()

  const server = await start()
  const secret = secretIn(server.output())!
  expect(secret).not.toBe(firstSecret)

  let token = ''
  const call = (method: string, url: string, body?: object) =>
    fetch(`${server.url}/api${url}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        referer: `${server.url}/setup/${secret}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  expect((await fetch(`${server.url}/setup/${secret}`)).status).toBe(200)
  expect((await call('POST', '/auth/setup/check', { token: secret })).status).toBe(200)
  const password = 'Kopi-Susu-22'
  const entered = await call('POST', '/auth/setup', {
    token: secret,
    name: 'Rina Admin',
    email: 'rina@kampus.example',
    password,
    password_confirmation: password,
    language: 'id',
  })
  expect(entered.status).toBe(200)
  token = ((await entered.json()) as { access_token: string }).access_token
  const { key } = ((await (await call('POST', '/account/totp')).json()) as { data: { key: string } }).data
  expect((await call('POST', '/account/totp/confirm', { code: codeAt(key, new Date()) })).status).toBe(200)
  await expect.poll(async () => (await call('GET', '/settings/general')).status).toBe(200)
  expect((await call('GET', '/settings/roles')).status).toBe(200)
  expect((await call('GET', '/settings/installation')).status).toBe(200)
  expect(await (await call('GET', '/branding')).json()).toMatchObject({ data: { demo: false } })

  // The secret is printed once, and is in no line of the log.
  expect(server.output()).toContain('"route":"/api/auth/setup"')
  expect(server.output().split(secret)).toHaveLength(2)
  await server.stop()

  const later = await start()
  expect(later.output()).not.toContain('/setup/')
  await later.stop()
}, 240_000)
