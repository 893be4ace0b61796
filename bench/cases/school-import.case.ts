import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import pg from 'pg'
import type { Bench, Case } from '../measure.ts'
import { watchingProcess } from '../watching-process.ts'

const rows = 26_780
const real = path.resolve('../shared/data/schools_sma_smk_2019.csv.gz')
const header = 'npsn,nama,bentuk,status,provinsi,kab_kota,kecamatan,alamat'

/** A field of a CSV line; some district names contain a quotation mark. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** The official list of 2019 if available, otherwise as many invented schools in the same format. */
async function listOfSchools(db: pg.Client): Promise<Buffer> {
  if (fs.existsSync(real)) return zlib.gunzipSync(fs.readFileSync(real))
  console.log(`${path.relative('.', real)} is not there: ${rows} invented schools are imported instead.`)
  const places = await db.query<{ city: string; district: string }>(
    `SELECT c.name AS city, d.name AS district FROM districts d JOIN cities c ON c.id = d.city_id ORDER BY d.code`,
  )
  const lines = Array.from({ length: rows }, (_, index) => {
    const { city, district } = places.rows[index % places.rows.length]!
    const kind = index % 2 ? 'SMA' : 'SMK'
    const npsn = `5${String(index).padStart(7, '0')}`
    const name = `${kind} Rekaan ${index % 97} ${district}`
    const address = `Jalan Contoh No. ${index}`
    return [npsn, name, kind, 'swasta', '', city, district, address].map(quoted).join(',')
  })
  return Buffer.from([header, ...lines, ''].join('\n'))
}

async function withDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

type Imported = { id: string; status: string; failure: string | null; problems: number; rows: { new: number } }

async function importOnce({ url, token }: Bench, file: Buffer): Promise<number> {
  const authorization = `Bearer ${await token('panitia@demo.test')}`
  const send = async (method: string, call: string, body?: FormData): Promise<Imported> => {
    const answer = await fetch(`${url}/api${call}`, { method, headers: { authorization }, body })
    if (!answer.ok) throw new Error(`${method} ${call}: ${await answer.text()}`)
    return ((await answer.json()) as { data: Imported }).data
  }
  const waitForStatus = async (id: string, statuses: string[]) => {
    for (;;) {
      const record = await send('GET', `/imports/${id}`)
      if (statuses.includes(record.status)) return record
      if (record.failure || record.status === 'failed') throw new Error(`import ${record.status}: ${record.failure}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)], { type: 'text/csv' }), 'schools.csv')
  const startMs = performance.now()
  const { id } = await send('POST', '/master/sma-nama/imports', form)
  const checkedImport = await waitForStatus(id, ['checked'])
  if (checkedImport.problems > 0) throw new Error(`${checkedImport.problems} problems in the list of schools`)
  await send('POST', `/imports/${id}/run`)
  const doneImport = await waitForStatus(id, ['done'])
  const seconds = (performance.now() - startMs) / 1000
  return doneImport.rows.new / seconds
}

/** Copies the file into a table with its columns and the indexes of `schools`, logged as `schools` is. */
async function copyOnce(db: pg.Client, file: Buffer): Promise<number> {
  const [headLine = ''] = file.toString('utf8', 0, 500).split('\n', 1)
  const columns = headLine.trim().split(',')
  const filePath = path.join(os.tmpdir(), `pmb-bench-schools-${process.pid}.csv`)
  fs.writeFileSync(filePath, file, { mode: 0o644 })
  try {
    await db.query(`CREATE TABLE copied (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      ${columns.map((name) => `${name} text`).join(', ')}, verified boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL DEFAULT now())`)
    await db.query(`CREATE UNIQUE INDEX ON copied (lower(npsn) text_pattern_ops);
      CREATE INDEX ON copied USING gin (nama gin_trgm_ops); CREATE INDEX ON copied (nama, id);
      CREATE INDEX ON copied (npsn, id); CREATE INDEX ON copied (bentuk, nama, id);
      CREATE INDEX ON copied (kab_kota, nama, id); CREATE INDEX ON copied (status, nama, id);
      CREATE INDEX ON copied (kecamatan); CREATE INDEX ON copied (nama, id) WHERE NOT verified;
      CREATE INDEX ON copied (created_at, id) WHERE NOT verified`)
    const startMs = performance.now()
    const { rowCount } = await db.query(
      `COPY copied (${columns.join(', ')}) FROM '${filePath}' WITH (FORMAT csv, HEADER)`,
    )
    return (rowCount ?? 0) / ((performance.now() - startMs) / 1000)
  } finally {
    await db.query('DROP TABLE IF EXISTS copied')
    fs.rmSync(filePath)
  }
}

/** 26,780 schools uploaded, checked and written by the product, against COPY of the same file. */
export const schoolImportCase: Case = {
  goal: 0.15,
  unit: 'rows/s',
  ours: (bench) =>
    withDatabase(bench.databaseUrl, async (db) => {
      const file = await listOfSchools(db)
      try {
        return await watchingProcess(bench, 'import', () => importOnce(bench, file))
      } finally {
        // Deletes the import, so that the next round starts from the same rows.
        await db.query('DELETE FROM schools WHERE created_by IS NOT NULL AND proposed_by IS NULL')
        await db.query('VACUUM ANALYZE schools, school_search')
      }
    }),
  theirs: ({ databaseUrl }) => withDatabase(databaseUrl, async (db) => copyOnce(db, await listOfSchools(db))),
}
