import pg from 'pg'

const accountCount = 1_000_000
const filled = new Map<string, Promise<void>>()

/**
 * Adds a million virtual accounts to a database once for all rounds, half of them paid and the rest ended, as after
 * years of admissions.
 */
export function fillVirtualAccounts(databaseUrl: string): Promise<void> {
  const pendingFill = filled.get(databaseUrl) ?? fill(databaseUrl)
  filled.set(databaseUrl, pendingFill)
  return pendingFill
}

async function fill(databaseUrl: string) {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    const startMs = performance.now()
    await db.query(
      `INSERT INTO virtual_accounts (bill_id, installment_id, provider, bank, number, amount, status, received, expires_at, created_at, activated_at, closed_at)
       SELECT b.id, NULL, 'sandbox', CASE WHEN n % 3 = 0 THEN 'sandbox-b' ELSE 'sandbox-a' END,
         '99009' || lpad((row_number() OVER ())::text, 12, '0'), b.total,
         s.status, CASE s.status WHEN 'paid' THEN b.total ELSE 0 END, t.at + interval '3 days', t.at, t.at, t.at + interval '3 days'
       FROM bills b CROSS JOIN generate_series(1, 50) n
         CROSS JOIN LATERAL (SELECT b.issued_at - n * interval '11 days' - (hashtext(b.number) % 86400) * interval '1 second' AS at) t
         CROSS JOIN LATERAL (SELECT (ARRAY['paid', 'paid', 'paid', 'paid', 'paid', 'expired', 'expired', 'expired', 'replaced', 'cancelled'])
           [1 + abs(hashtext(b.number || n)) % 10] AS status) s
       WHERE b.total > 0
       LIMIT greatest(0, $1 - (SELECT count(*) FROM virtual_accounts))`,
      [accountCount],
    )
    await db.query('VACUUM ANALYZE virtual_accounts')
    const { rows } = await db.query('SELECT count(*)::int AS count FROM virtual_accounts')
    console.log(
      `${rows[0].count.toLocaleString('en')} virtual accounts in ${((performance.now() - startMs) / 1000).toFixed(1)} s`,
    )
  } finally {
    await db.end()
  }
}
