import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { environmentSchema, readConfig } from './config.ts'

const example = fs.readFileSync(path.resolve(import.meta.dirname, '../../../.env.example'), 'utf8')
const written = new Map([...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
const PMB_DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-config-'))

test('.env.example names every setting and no others', () => {
  expect([...written.keys()].toSorted()).toEqual(Object.keys(environmentSchema.shape).toSorted())
})

test('.env.example shows the default values', () => {
  const defaults = environmentSchema.parse({}) as Record<string, unknown>
  for (const [name, value] of written) expect([name, value]).toEqual([name, String(defaults[name] ?? '')])
})

test('without any setting the embedded demo database is used', () => {
  expect(readConfig({ PMB_DATA_DIR })).toMatchObject({ demo: true, port: 3000, publicUrl: 'http://localhost:3000' })
})

test('an external database is never a demo', () => {
  expect(readConfig({ PMB_DATA_DIR, DATABASE_URL: 'postgres://db/pmb' }).demo).toBe(false)
})

test.each([
  { PUBLIC_URL: 'https://pmb.kampus.example' },
  { SMTP_URL: 'smtp://mail.kampus.example' },
  { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  { STORAGE: 's3', S3_BUCKET: 'pmb' },
])('the embedded database with %o is a demo only if DEMO says so', (outside) => {
  expect(readConfig({ PMB_DATA_DIR, ...outside }).demo).toBe(false)
  expect(readConfig({ PMB_DATA_DIR, ...outside, DEMO: 'true' }).demo).toBe(true)
})

test('a campus address without https may run the demo', () => {
  expect(readConfig({ PMB_DATA_DIR, PUBLIC_URL: 'http://192.168.1.10:3000' }).demo).toBe(true)
})

test('DEMO=false runs a real installation on the embedded database', () => {
  expect(readConfig({ PMB_DATA_DIR, DEMO: 'false' })).toMatchObject({ demo: false, databaseUrl: undefined })
})

test('DEMO=true with an external database is refused', () => {
  const both = { PMB_DATA_DIR, DATABASE_URL: 'postgres://db/pmb', DEMO: 'true' }
  expect(() => readConfig(both)).toThrow('DEMO=true works with the embedded database only')
})

test('an invalid setting is named', () => {
  expect(() => readConfig({ PORT: 'abc' })).toThrow('PORT')
  expect(() => readConfig({ DATABASE_URL: 'mysql://x' })).toThrow('DATABASE_URL')
  expect(() => readConfig({ PMB_DATA_DIR, STORAGE: 's3' })).toThrow('S3_BUCKET')
  expect(() => readConfig({ PMB_DATA_DIR, GOOGLE_CLIENT_ID: 'x' })).toThrow('GOOGLE_CLIENT_SECRET')
})

test('the secret key is generated once and stored unreadable for others', () => {
  const first = readConfig({ PMB_DATA_DIR }).secretKey
  expect(first).toHaveLength(64)
  expect(readConfig({ PMB_DATA_DIR }).secretKey).toBe(first)
  expect(fs.statSync(path.join(PMB_DATA_DIR, 'secret-key')).mode & 0o077).toBe(0)
})

test('trusting every proxy is refused, with the value to use instead', () => {
  expect(() => readConfig({ PMB_DATA_DIR, TRUST_PROXY: 'true' })).toThrow(
    /^The setting TRUST_PROXY is wrong: true would believe any address.*such as 1.*loopback or 10\.0\.0\.0\/8/,
  )
  expect(readConfig({ PMB_DATA_DIR, TRUST_PROXY: '1' }).trustProxy).toBe(1)
  expect(readConfig({ PMB_DATA_DIR, TRUST_PROXY: 'loopback' }).trustProxy).toEqual(['loopback'])
})
