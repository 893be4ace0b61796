import pg from 'pg'

export type SomeRegistration = { id: string; accountId: string; email: string }

/** Registrations of invented applicants, at regular intervals, the same for each round. */
export async function someRegistrations(databaseUrl: string, count: number): Promise<SomeRegistration[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  const { rows } = await db.query<SomeRegistration>(
    `SELECT id, "accountId", email FROM (
       SELECT r.id, r.account_id AS "accountId", u.email, row_number() OVER (ORDER BY r.code) AS n, count(*) OVER () AS total
       FROM registrations r JOIN accounts u ON u.id = r.account_id WHERE u.email LIKE 'camaba%@demo.test') numbered
     WHERE n % greatest(total / $1, 1) = 0 ORDER BY n LIMIT $1`,
    [count],
  )
  await db.end()
  return rows
}
