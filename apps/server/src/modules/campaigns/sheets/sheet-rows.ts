import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { JudgedRow } from './columns.ts'

/** Rows per statement; larger batches would keep other requests waiting. */
export const rowsAtOnce = 1_000

export async function insertRows(db: Db, sheetId: string, rows: readonly JudgedRow[]) {
  if (rows.length === 0) return
  await sql`INSERT INTO campaign_sheet_rows (sheet_id, number, name, language, phone, email, values, problems,
      is_invalid)
    SELECT ${sheetId}, r.number, r.name, r.language, r.phone, r.email, r.values, nullif(r.problems, 'null'),
      r."isInvalid"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (number integer, name text, language text, phone text,
      email text, values jsonb, problems jsonb, "isInvalid" boolean)`.execute(db)
}

export async function updateRows(db: Db, sheetId: string, rows: readonly JudgedRow[]) {
  const changes = rows.map(({ values: _values, ...rest }) => rest)
  await sql`UPDATE campaign_sheet_rows w SET name = r.name, language = r.language, phone = r.phone, email = r.email,
      problems = nullif(r.problems, 'null'), is_invalid = r."isInvalid"
    FROM json_to_recordset(${JSON.stringify(changes)}::json) AS r (number integer, name text, language text, phone text,
      email text, problems jsonb, "isInvalid" boolean)
    WHERE w.sheet_id = ${sheetId} AND w.number = r.number`.execute(db)
}

export type StoredRow = {
  number: number
  name: string | null
  values: Record<string, string>
  problems: JudgedRow['problems']
}

/** Yields the rows of a sheet in batches, in row order. Each batch is a separate query, so no cursor stays open. */
export async function* storedRows(db: Db, sheetId: string, { onlyInvalid = false } = {}): AsyncGenerator<StoredRow[]> {
  for (let after = 0; ; ) {
    const rows = (await db
      .selectFrom('campaignSheetRows')
      .select(['number', 'name', 'values', 'problems'])
      .where('sheetId', '=', sheetId)
      .where('number', '>', after)
      .$if(onlyInvalid, (query) => query.where('isInvalid', '=', true))
      .orderBy('number')
      .limit(rowsAtOnce)
      .execute()) as StoredRow[]
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.number
  }
}
