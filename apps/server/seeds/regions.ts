import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { withoutIndexes } from './demo/fill/large-fill.ts'

const dataFolder = path.join(path.dirname(createRequire(import.meta.url).resolve('idn-area-data/package.json')), 'data')

type RegionRow = { code: string; parent: string; name: string }

/** Reads rows `code,parent,name` (`code,name` for provinces); only names may be quoted. */
function readRows(name: string, columns: 2 | 3): RegionRow[] {
  const lines = fs.readFileSync(path.join(dataFolder, name), 'utf8').split(/\r?\n/).slice(1)
  return lines.filter(Boolean).map((line) => {
    const [code = '', ...rest] = line.split(',')
    const parent = columns === 3 ? rest.shift()! : ''
    const text = rest.join(',')
    return { code, parent, name: text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text }
  })
}

/**
 * Reads the postal code of a village. A line of `postal-codes.txt` has a district, the postal code of most of its
 * villages, and the others' codes with the last part of their villages' codes: `11.01.02 23774 23775:2004,2005`.
 */
function postalCodes(): (village: string) => string | null {
  const lines = fs
    .readFileSync(new URL('postal-codes.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const codes = new Map<string, string>()
  for (const line of lines) {
    const [district = '', usual = '', ...exceptions] = line.split(' ')
    codes.set(district, usual)
    for (const exception of exceptions) {
      const [code = '', villages = ''] = exception.split(':')
      for (const village of villages.split(',')) codes.set(`${district}.${village}`, code)
    }
  }
  return (village) => codes.get(village) ?? codes.get(village.slice(0, village.lastIndexOf('.'))) ?? null
}

/**
 * Adds the provinces, cities, districts and villages of Indonesia with their postal codes (sources: see NOTICE). For
 * tests, `codePrefixes` limits the rows to regions below these codes and the regions above them.
 */
export async function seedRegions(db: Db, codePrefixes?: readonly string[]): Promise<void> {
  const isIncluded = ({ code }: RegionRow) =>
    !codePrefixes || codePrefixes.some((start) => code.startsWith(start) || start.startsWith(code))
  const readColumns = (name: string, columns: 2 | 3 = 3) => {
    const rows = readRows(name, columns).filter(isIncluded)
    return {
      code: rows.map(({ code }) => code),
      parent: rows.map(({ parent }) => parent),
      name: rows.map(({ name }) => name),
    }
  }
  const provinces = readColumns('provinces.csv', 2)
  const cities = readColumns('regencies.csv')
  const districts = readColumns('districts.csv')
  const villages = readColumns('villages.csv')
  const villagePostalCodes = villages.code.map(postalCodes())

  // Filling trigram indexes and checking foreign keys row by row takes several times as long as all at once.
  await db.transaction().execute((tx) =>
    withoutIndexes(tx, codePrefixes ? [] : ['cities', 'districts', 'villages'], async () => {
      await sql`INSERT INTO provinces (code, name) SELECT * FROM unnest(${provinces.code}::text[], ${provinces.name}::text[])`.execute(
        tx,
      )
      await sql`
        INSERT INTO cities (code, name, kind, province_id)
        SELECT n.code, n.name, CASE WHEN n.name LIKE 'Kota %' THEN 'kota' ELSE 'kabupaten' END, p.id
        FROM unnest(${cities.code}::text[], ${cities.parent}::text[], ${cities.name}::text[]) AS n (code, parent, name)
        JOIN provinces p ON p.code = n.parent ORDER BY n.code`.execute(tx)
      await sql`
        INSERT INTO districts (code, name, city_id)
        SELECT n.code, n.name, c.id
        FROM unnest(${districts.code}::text[], ${districts.parent}::text[], ${districts.name}::text[]) AS n (code, parent, name)
        JOIN cities c ON c.code = n.parent ORDER BY n.code`.execute(tx)
      await sql`
        INSERT INTO villages (code, name, postal_code, district_id)
        SELECT n.code, n.name, n.postal_code, d.id
        FROM unnest(${villages.code}::text[], ${villages.parent}::text[], ${villages.name}::text[],
          ${villagePostalCodes}::text[]) AS n (code, parent, name, postal_code)
        JOIN districts d ON d.code = n.parent ORDER BY n.code`.execute(tx)
    }),
  )
  for (const table of ['cities', 'districts', 'villages']) await sql`ANALYZE ${sql.table(table)}`.execute(db)
}
