import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Choices, type PlannedFile, planFiles, readChoices } from './files.ts'
import { installFiles, removeFiles } from './install.ts'

let folder: string
let said: string[]
const say = (line: string) => said.push(line)
const choices: Choices = {
  checkout: '/opt/pmb',
  dataDir: '/var/lib/pmb',
  backupDir: '/var/backups/pmb',
  port: 3000,
  domain: 'pmb.example.ac.id',
}

/** The planned files, below the test's folder. */
const files = (changes: Partial<Choices> = {}): PlannedFile[] =>
  planFiles({ ...choices, ...changes }).map((file) => ({ ...file, path: path.join(folder, file.path) }))
const fileNamed = (name: string) => files().find((file) => file.path.endsWith(name))!.path
const textOf = (name: string) => fs.readFileSync(fileNamed(name), 'utf8')

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-service-'))
  said = []
})

describe('installing the service', () => {
  test('a second run changes nothing and says so', () => {
    installFiles(files(), say)
    expect(said.every((line) => line.startsWith('new'))).toBe(true)
    said = []
    installFiles(files(), say)
    expect(said).toHaveLength(files().length)
    expect(said.every((line) => line.startsWith('unchanged'))).toBe(true)
  })

  test('another folder changes the units, and says which', () => {
    installFiles(files(), say)
    said = []
    installFiles(files({ backupDir: '/mnt/backups' }), say)
    expect(said).toContain(`changed    ${fileNamed('pmb-backup.service')}`)
    expect(textOf('pmb-backup.service')).toContain('ReadWritePaths=/var/lib/pmb /mnt/backups')
    expect(fs.existsSync(`${fileNamed('pmb-backup.service')}.bak`)).toBe(false)
  })

  test('a unit edited by hand is kept beside the new one, and reported', () => {
    installFiles(files(), say)
    const edited = textOf('pmb.service').replace('LimitNOFILE=65536', 'LimitNOFILE=1024')
    fs.writeFileSync(fileNamed('pmb.service'), edited)
    said = []
    installFiles(files(), say)
    expect(said.join('\n')).toContain('you had edited it')
    expect(fs.readFileSync(`${fileNamed('pmb.service')}.bak`, 'utf8')).toBe(edited)
    expect(textOf('pmb.service')).toContain('LimitNOFILE=65536')
  })

  test('settings are written once, readable only by root and the service, and never again', () => {
    installFiles(files(), say)
    expect(fs.statSync(fileNamed('pmb.env')).mode & 0o777).toBe(0o640)
    fs.appendFileSync(fileNamed('pmb.env'), 'SMTP_URL=smtp://mail.example.ac.id\n')
    installFiles(files({ port: 4000 }), say)
    expect(textOf('pmb.env')).toContain('SMTP_URL=smtp://mail.example.ac.id')
    expect(textOf('pmb.env')).toContain('PORT=3000')
  })

  test('the first restore test waits for the first backup', () => {
    installFiles(files(), say)
    expect(textOf('pmb-restore-test.service')).toContain('\nAfter=pmb-backup.service\n')
    expect(textOf('pmb-backup.service')).not.toContain('After=')
  })

  test('undo leaves nothing but what somebody has edited', () => {
    installFiles(files(), say)
    fs.appendFileSync(fileNamed('pmb.env'), 'SMTP_URL=smtp://mail.example.ac.id\n')
    removeFiles(files(), say)
    expect(
      files()
        .filter((file) => fs.existsSync(file.path))
        .map((file) => path.basename(file.path)),
    ).toEqual(['pmb.env'])
  })
})

describe('the choices', () => {
  test('from the first run are used by the next', () => {
    const file = path.join(folder, 'pmb.env')
    expect(readChoices({ data: '/srv/data', domain: 'a.ac.id' }, file)).toMatchObject({
      dataDir: '/srv/data',
      domain: 'a.ac.id',
    })
    fs.writeFileSync(file, 'PMB_DATA_DIR="/srv/data"\nPORT=3100\nPUBLIC_URL=https://a.ac.id\n')
    expect(readChoices({ data: '/elsewhere' }, file)).toMatchObject({
      dataDir: '/srv/data',
      port: 3100,
      domain: 'a.ac.id',
    })
  })

  test.each([
    [{ data: 'relative' }, 'whole path'],
    [{ backups: '/var/back ups' }, 'whole path'],
    [{ domain: 'https://a.ac.id' }, 'no domain'],
    [{ port: '80' }, 'between 1024'],
  ])('%o is refused', (options, reason) => {
    expect(() => readChoices(options, path.join(folder, 'none'))).toThrow(reason)
  })
})

describe('a proxy', () => {
  test.each(['Caddyfile.example', 'nginx.conf.example'])(
    'of %s passes to the port of the settings, and sends HSTS',
    (name) => {
      installFiles(files({ port: 3100 }), say)
      expect(textOf(name)).toContain('127.0.0.1:3100')
      expect(textOf(name)).toContain('Strict-Transport-Security')
    },
  )

  test("nginx replaces the client's X-Forwarded-For, which TRUST_PROXY=1 would trust", () => {
    installFiles(files(), say)
    expect(textOf('nginx.conf.example')).toContain('X-Forwarded-For $remote_addr')
    expect(textOf('pmb.env')).toContain('TRUST_PROXY=1')
    expect(textOf('pmb.env')).toContain('HOST=127.0.0.1')
  })
})
