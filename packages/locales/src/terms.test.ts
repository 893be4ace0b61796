import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Other names that a thing of `docs/glossary.md` has had on a screen, by its one name. */
const rejectedNames: Record<string, RegExp> = {
  'change of study programme': /programme changes?\b(?!d)|changes? of programme/i,
  'pindah prodi': /pindah program studi|perpindahan prodi/i,
  'prospective students': /'new students'/i,
  'CBT participants': /applicants and CBT/i,
  'class offered': /intakes? of the study programme/i,
  'detail prodi': /kelas yang dibuka|penerimaan program studi/i,
  'konfirmasi kesediaan': /konfirmasi(kan)? kelulusan|kelulusan (sudah )?dikonfirmasi/i,
  'batas lulus': /nilai kelulusan/i,
  prospek: /calon peminat/i,
  draf: /\bkonsep\b/i,
  'bank demo': /bank (peraga|contoh)/i,
  'payment gateway': /gerbang pembayaran/i,
}

const root = path.resolve(import.meta.dirname, '../../..')
const rooms = [
  'packages/locales/src',
  'packages/entities/src',
  'packages/domain/src/access',
  'packages/domain/src/reports',
]
const files = [
  ...rooms.flatMap((room) =>
    fs.readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  ),
  ...fs
    .readdirSync(path.join(root, 'apps/web/src/modules'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /pages\.ts$/.test(file))
    .map((file) => `apps/web/src/modules/${file}`),
].filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

test.each(Object.entries(rejectedNames))('“%s” has no other name on a screen', (_, rejected) => {
  const found = files.filter((file) => rejected.test(fs.readFileSync(path.join(root, file), 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})
