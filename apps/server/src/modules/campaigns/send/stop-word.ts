import { sql } from 'kysely'
import { marketingPurposes } from '#domain/campaigns/campaigns.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'

const words = new Set(['stop', 'berhenti', 'unsubscribe', 'stop promosi', 'berhenti berlangganan'])

/** Whether a message consists of a word that ends marketing, whatever its letters and punctuation. */
export const isStopWord = (text: string) =>
  words.has(
    text
      .toLowerCase()
      .replace(/[^\p{L}\s]/gu, ' ')
      .trim()
      .replace(/\s+/g, ' '),
  )

type Received = {
  /** E.164. */
  phone: string
  text: string
  at: Date
}

/** Opts a phone number out of all marketing if its owner wrote a stop word; says whether that was so. */
export async function handleStopWord(tx: Tx, { phone, text, at }: Received): Promise<boolean> {
  if (!isStopWord(text)) return false
  const { rows } = await sql<{ id: string; purpose: string }>`
    INSERT INTO opt_outs (address, purpose, source, created_at)
    SELECT ${phone}, purpose, 'word', ${at} FROM unnest(${[...marketingPurposes]}::text[]) AS purpose
    ON CONFLICT (address, purpose) WHERE lifted_at IS NULL DO NOTHING RETURNING id, purpose`.execute(tx)
  await recordAudits(
    tx,
    systemActor,
    rows.map(({ id, purpose }) => ({
      action: 'opt-out.add',
      subject: { type: 'opt-out', id },
      after: { purpose, source: 'word' },
    })),
  )
  return true
}
