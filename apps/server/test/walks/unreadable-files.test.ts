import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aBankAccount, aMapping } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Sends unreadable or odd files to every endpoint that reads sheets, and opens each result. */
let t: TestApp
let staff: TestActor
let doors: Record<string, { url: string; fields?: Record<string, string>; below: (id: string) => string[] }>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  const academic = await academicFixture(t.db)
  const account = await aBankAccount(t, staff)
  const ofImport = (id: string) => [`/imports/${id}`, `/imports/${id}/problems`, `/imports/${id}/problem-rows`]
  const masterImport = (slug: string) => ({ url: `/master/${slug}/imports`, below: ofImport })
  doors = {
    'master data': masterImport('agama'),
    schools: masterImport('sma-nama'),
    vouchers: masterImport('voucher'),
    workbook: { url: '/workbook/imports', below: (id) => [`/workbook/imports/${id}`, `/workbook/imports/${id}/file`] },
    scores: {
      url: `/score-imports?waveId=${academic.wave}`,
      below: (id) => ['', '/problems', '/lines', '/people', '/file'].map((part) => `/score-imports/${id}${part}`),
    },
    recipients: {
      url: '/kirim-informasi/sheets',
      below: (id) => [`/kirim-informasi/sheets/${id}`, `/kirim-informasi/sheets/${id}/problems`],
    },
    'bank statements': { url: `/bank-accounts/${account.id}/statements`, below: () => [] },
    'previews of bank statements': {
      url: `/bank-accounts/${account.id}/statements/preview`,
      fields: { mapping: JSON.stringify(aMapping) },
      below: () => [],
    },
  }
}, 120_000)
afterAll(() => t.close())

/** An archive with one stored entry. */
function archiveOf(name: string, content: string) {
  const [path, data] = [Buffer.from(name), Buffer.from(content)]
  const sizes = (head: Buffer, from: number) => {
    head.writeUInt32LE(data.length, from)
    head.writeUInt32LE(data.length, from + 4)
    head.writeUInt16LE(path.length, from + 8)
  }
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 'latin1')
  sizes(local, 18)
  const central = Buffer.alloc(46)
  central.write('PK\x01\x02', 'latin1')
  sizes(central, 20)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + path.length, 12)
  end.writeUInt32LE(local.length + path.length + data.length, 16)
  return Buffer.concat([local, path, data, central, path, end])
}

const text = (content: string) => Buffer.from(content)
const files: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'a picture': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]),
  'an old workbook': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
  'a cut archive': Buffer.from('PK\x03\x04 but no more', 'latin1'),
  'an archive of something else': archiveOf('readme.txt', 'hello'),
  'a workbook without sheets': archiveOf('xl/workbook.xml', '<workbook><sheets/></workbook>'),
  'a workbook of broken XML': archiveOf('xl/workbook.xml', '<workbook><sheets'),
  'a page of the web': text('<html><body>Masuk kembali</body></html>'),
  'blank lines': text('\r\n\r\n;;;\r\n'),
  'a byte order mark': text('\uFEFF'),
  'half a character': Buffer.from([0xff, 0xfe, 0x4b]),
  'bytes of no encoding': Buffer.from([0x4b, 0xc3, 0x28, 0x0a, 0xf0, 0x9f, 0x0a]),
  'a zero byte far below': Buffer.concat([text(`Kode,Nama\n${'A,B\n'.repeat(3_000)}`), Buffer.from([0, 10])]),
  'an open quote': text('Kode,Nama\n"A,B\nC,D\n'),
  'one long line': text('x'.repeat(300_000)),
  'very many columns': text(`${Array.from({ length: 3_000 }, (_, n) => `K${n}`).join(',')}\n1\n`),
  'headings alone': text('Kode,Nama\n'),
  'equal headings': text('Nama,Nama,Nama\n1,2,3\n'),
  'names of properties': text('__proto__,constructor,toString\n1,2,3\n'),
  'odd values': text('Kode,Nama\n=1+1,-\n\u0000A,\uD800\n99999999999999999999,31/02/2026\n\u202E,\u0007\n'),
  'an odd MT940': text(':20:X\r\n:25:\r\n:28C:1\r\n:60F:C261345IDRX,\r\n:61:\r\n:62F:\r\n-'),
}

test.each(Object.keys(files))(
  '%s is refused or described at every door',
  async (name) => {
    const failures: string[] = []
    const opened: string[] = []
    const note = (call: string, { statusCode, body }: { statusCode: number; body: string }) => {
      if (statusCode >= 500) failures.push(`${call}: ${body}`)
    }
    for (const [door, { url, fields, below }] of Object.entries(doors))
      for (const ending of ['csv', 'xlsx']) {
        const sent = { name: `berkas.${ending}`, type: 'application/octet-stream', bytes: files[name]! }
        const answer = await staff.upload(url, sent, fields)
        note(`${door}, .${ending}`, answer)
        if (answer.statusCode === 422) expect(answer.json().errors, door).not.toEqual({})
        const id = answer.statusCode < 300 ? answer.json().data?.id : undefined
        if (id) opened.push(...below(id))
      }
    await t.runJobs()
    for (const path of opened) note(path, await staff.get(path))
    expect(failures).toEqual([])
  },
  120_000,
)
