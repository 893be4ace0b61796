import crypto from 'node:crypto'
import { sql } from 'kysely'
import { readConfig } from '#server/config.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { requestVirtualAccount } from '#server/modules/payments/bills/numbers/request-virtual-account.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { type Running, startServices } from '#server/platform/start-services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import type { Product } from './product.ts'

/** A bill that can be paid at the demo bank. */
export type OpenBill = {
  id: string
  registrationId: string
  /** Transfer number. */
  number: string
  total: number
  /** Amounts of its instalments in order; empty without a plan. */
  parts: number[]
}

const dayMs = 86_400_000

/** The product's own use cases on its database, beside the server being killed. */
export function useCasesOf({ dataDir, secretKey, databaseUrl }: Product): Promise<Running> {
  const config = readConfig({ PMB_DATA_DIR: dataDir, SECRET_KEY: secretKey, LOG_LEVEL: 'error', RUN_JOBS: 'false' })
  return startServices({ config, connectionString: databaseUrl, passiveJobs: true })
}

/**
 * Issues bills with transfer numbers: alternately a registration fee, and tuition in three instalments. In pairs both
 * belong to one person, so that money can be moved between them.
 */
export async function openBills(
  { services, owner }: Running,
  round: string,
  count: number,
  pairs = false,
): Promise<OpenBill[]> {
  const now = services.clock.now()
  // Raises capacities, because more applicants are accepted here than any programme has places for.
  await sql`UPDATE programme_details SET capacity = 100000, updated_at = ${now}`.execute(owner)
  const person = () => ({ account: crypto.randomUUID(), applicant: crypto.randomUUID() })
  let before = person()
  const people = Array.from({ length: count }, (_, at) => {
    if (!pairs || at % 2 === 0) before = person()
    return { n: at + 1, ...before }
  })
  const peopleTable = sql`jsonb_to_recordset(${JSON.stringify(people)}::jsonb) AS p (n int, account uuid, applicant uuid)`
  await sql`INSERT INTO accounts (id, name, email, email_verified_at, role_id, language)
    SELECT account, 'Pembayar ' || min(n), ${`pembayar-${round}-`} || min(n) || '@demo.test', ${now},
      (SELECT id FROM roles WHERE name = 'Mahasiswa'), 'id' FROM ${peopleTable} GROUP BY account`.execute(owner)
  await sql`INSERT INTO applicants (id, account_id, full_name)
    SELECT applicant, account, 'Pembayar ' || min(n) FROM ${peopleTable} GROUP BY applicant, account`.execute(owner)
  const { rows } = await sql<{ id: string; accountId: string; tuition: boolean }>`
    INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
      programme_id, status, decision, accepted_programme_id, decided_at)
    SELECT ${`TRT${round}-`} || lpad(n::text, 5, '0'), applicant, account, wave_id,
      CASE WHEN tuition THEN regular ELSE another END, entry_level_id,
      class_programme_id, programme_id, CASE WHEN tuition THEN 'confirmed' ELSE 'submitted' END,
      CASE WHEN tuition THEN 'accepted' END, CASE WHEN tuition THEN programme_id END, CASE WHEN tuition THEN ${now}::timestamptz END
    FROM (SELECT *, n % 2 = 1 AS tuition FROM ${peopleTable}) numbered CROSS JOIN (
      SELECT d.programme_id, d.wave_id, d.class_programme_id, d.entry_level_id,
        (SELECT id FROM tracks WHERE code = 'REG') AS regular, (SELECT min(id::text)::uuid FROM tracks WHERE code <> 'REG') AS another
      FROM programme_details d JOIN waves w ON w.id = d.wave_id WHERE w.code = 'G2' ORDER BY d.id LIMIT 1) place
    RETURNING id, account_id, status = 'confirmed' AS tuition`.execute(owner)
  await sql`SELECT fill_registration_steps()`.execute(owner)
  if (rows.length !== count) throw new Error(`${rows.length} registrations instead of ${count}`)
  const { id: plan } = await services.db
    .selectFrom('installmentPlans')
    .select('id')
    .where('code', '=', 'CICIL3')
    .executeTakeFirstOrThrow()

  const bills: OpenBill[] = []
  const openBill = async ({ id, accountId, tuition }: (typeof rows)[number], index: number) => {
    const total = tuition ? 6_000_000 + index * 1_000 : 250_000
    const bill = await inTransaction(services, systemActor, (context) =>
      issueBill(context, {
        registrationId: id,
        accountId,
        kind: tuition ? 're_registration' : 'registration_fee',
        lines: [{ description: tuition ? 'Uang kuliah' : 'Biaya pendaftaran', amount: total }],
        dueAt: new Date(now.getTime() + 10 * dayMs),
        installmentPlanId: tuition ? plan : null,
      }),
    )
    const { number } = await requestVirtualAccount(services, systemActor, bill.id, { bank: 'sandbox-a' })
    const parts = await services.db
      .selectFrom('installments')
      .select('amount')
      .where('billId', '=', bill.id)
      .orderBy('position')
      .execute()
    bills.push({ id: bill.id, registrationId: id, number: number!, total, parts: parts.map(({ amount }) => amount) })
  }
  const remainingRows = rows.entries()
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const [index, row] of remainingRows) await openBill(row, index)
    }),
  )
  return bills.toSorted((a, b) => (a.number < b.number ? -1 : 1))
}
