import pg from 'pg'

export type Draft = { registrationId: string; token: string }

/** Inserts a copy of a row with other values in some columns. */
const copyOf = (table: string, alias: string, values: string) =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(${alias}, ${values})).*`

/**
 * Adds applicants with a complete profile and a registration ready to submit, each signed in; all are copies of one
 * invented applicant.
 */
export async function fillDrafts(databaseUrl: string, count: number): Promise<Draft[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    // A kept database has the rounds of earlier runs.
    const { rows: rounds } = await db.query<{ count: number }>(
      `SELECT count(*)::int FROM registrations WHERE code LIKE 'BENCH%-1'`,
    )
    const round = rounds[0]!.count
    await db.query('BEGIN')
    await db.query(
      `CREATE TEMP TABLE drafts ON COMMIT DROP AS
       SELECT n, gen_random_uuid() AS account, gen_random_uuid() AS applicant, gen_random_uuid() AS registration,
         'bench-' || $1::int || '-' || n || '-' || gen_random_uuid() AS token FROM generate_series(1, $2::int) n`,
      [round, count],
    )
    await db.query(
      `CREATE TEMP TABLE model ON COMMIT DROP AS SELECT r.id, r.applicant_id FROM registrations r
       JOIN waves w ON w.id = r.wave_id AND w.code = 'G2' JOIN tracks t ON t.id = r.track_id AND t.code = 'REG'
       JOIN applicants a ON a.id = r.applicant_id WHERE r.status = 'draft' AND a.school_id IS NOT NULL ORDER BY r.code LIMIT 1`,
    )
    for (const statement of [
      `INSERT INTO accounts (id, name, email, email_verified_at, role_id, language)
       SELECT account, 'Pendaftar ' || n, 'pendaftar-${round}-' || n || '@demo.test', now(), roles.id, 'id'
       FROM drafts, roles WHERE roles.name = 'Mahasiswa'`,
      `${copyOf(
        'applicants',
        'a',
        `jsonb_build_object('id', d.applicant, 'account_id', d.account, 'full_name', 'Pendaftar ' || d.n,
          'nik', '9' || lpad((${round} * 100000 + d.n)::text, 15, '0'),
          'photo_file_id', coalesce(a.photo_file_id, (SELECT id FROM files WHERE purpose = 'photo' LIMIT 1)))`,
      )} FROM model m JOIN applicants a ON a.id = m.applicant_id CROSS JOIN drafts d`,
      `${copyOf(
        'registrations',
        'r',
        `jsonb_build_object('id', d.registration, 'applicant_id', d.applicant, 'account_id', d.account,
          'code', 'BENCH${round}-' || d.n, 'donation_amount', 0)`,
      )} FROM model m JOIN registrations r ON r.id = m.id CROSS JOIN drafts d`,
      `INSERT INTO registration_choices (registration_id, position, programme_id)
       SELECT d.registration, c.position, c.programme_id
       FROM model m JOIN registration_choices c ON c.registration_id = m.id CROSS JOIN drafts d`,
      `${copyOf('documents', 'x', `jsonb_build_object('id', gen_random_uuid(), 'registration_id', d.registration)`)}
       FROM model m JOIN documents x ON x.registration_id = m.id CROSS JOIN drafts d`,
      `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, expires_at, ip)
       SELECT account, sha256(convert_to(token, 'utf8')), now(), now(), now() + interval '1 hour', '127.0.0.1' FROM drafts`,
    ])
      await db.query(statement)
    const { rows } = await db.query<Draft>('SELECT registration AS "registrationId", token FROM drafts ORDER BY n')
    await db.query('COMMIT')
    await db.query('VACUUM ANALYZE accounts, applicants, registrations, registration_choices, documents, sessions')
    return rows
  } finally {
    await db.end()
  }
}
