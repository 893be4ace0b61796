import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { ownMessages } from './campaigns.ts'
import { type MessageCounts, rolledBackName } from './messages.ts'
import type { Received } from './sinks.ts'

type Row = {
  channel: 'email' | 'whatsapp'
  state: string
  handoverId: string | null
  address: string
}

export type SendingProof = {
  problems: string[]
  reached: number
  uncertainMails: number
  /** Mails among these that the mail server has. */
  uncertainButReceived: number
  /** WhatsApp messages Meta never got, so no report can come: the process died between commit and call. */
  neverCalled: number
}

/**
 * Compares recipients and messages with what the sinks received: everybody is reached or uncertain, nobody twice, nothing is
 * counted as sent that no sink has, and what the Cloud API received is settled by its reports.
 */
export async function proveSending(
  owner: Db,
  sinks: { email: Received; whatsapp: Received },
  { kills, workers, written }: { kills: number; workers: { email: number; whatsapp: number }; written: MessageCounts },
): Promise<SendingProof> {
  const problems: string[] = []
  const { rows } = await sql<Row>`SELECT channels[1] AS channel, state, handover_id,
      CASE channels[1] WHEN 'email' THEN email ELSE ltrim(phone, '+') END AS address FROM campaign_recipients
    UNION ALL SELECT h.channel, h.state, h.id, ltrim(m.to_address, '+')
    FROM handovers h JOIN messages m ON m.id = h.message_id WHERE m.id IN (${ownMessages})`.execute(owner)
  const proof = { reached: 0, uncertainMails: 0, uncertainButReceived: 0, neverCalled: 0 }
  for (const { channel, state, handoverId, address } of rows) {
    const copies = sinks[channel].byReceiver.get(address) ?? 0
    if (copies > 1) problems.push(`${address} got ${copies} messages`)
    if (state === 'uncertain') {
      if (channel === 'email') proof.uncertainMails++
      else if (copies > 0) problems.push(`${address} is uncertain although Meta reported the message`)
      else proof.neverCalled++
      if (channel === 'email' && copies > 0) proof.uncertainButReceived++
      continue
    }
    if (!['accepted', 'delivered', 'read'].includes(state)) problems.push(`${address} is ${state}`)
    else if (copies === 0) problems.push(`${address} is ${state} and got nothing`)
    else if (!handoverId || sinks[channel].byId.get(handoverId) !== 1)
      problems.push(`${address} got another handover than ${handoverId}`)
    else proof.reached++
    if (channel === 'whatsapp' && state === 'accepted') problems.push(`${address}: the report of its delivery is lost`)
  }
  const messages = rows.filter(({ address }) => /^(?:penerima-notis-|62813000|62814000)/.test(address)).length
  if (messages !== 2 * written.notices + written.answers)
    problems.push(`${messages} messages instead of ${2 * written.notices + written.answers}`)
  for (const address of sinks.email.byReceiver.keys())
    if (address.startsWith(rolledBackName)) problems.push(`${address} was told though its transaction was rolled back`)
  const { rows: untrue } = await sql<{ id: string }>`SELECT m.id FROM messages m JOIN handovers h ON h.id = m.id
    WHERE m.id IN (${ownMessages}) AND m.status <> CASE h.state WHEN 'accepted' THEN 'sent' WHEN 'uncertain' THEN 'failed'
      WHEN 'due' THEN 'queued' WHEN 'handed' THEN 'queued' ELSE h.state END`.execute(owner)
  for (const { id } of untrue) problems.push(`message ${id} does not say what its handover says`)
  for (const [channel, { byId }] of Object.entries(sinks))
    for (const [id, copies] of byId) if (copies > 1) problems.push(`handover ${id} of ${channel} came ${copies} times`)
  if (proof.uncertainMails > kills * workers.email)
    problems.push(`${proof.uncertainMails} mails are uncertain, more than one per worker and kill`)
  if (proof.neverCalled > kills * workers.whatsapp)
    problems.push(`${proof.neverCalled} messages of WhatsApp are uncertain, more than one per worker and kill`)
  const { rows: open } = await sql<{ name: string; state: string }>`SELECT name, state FROM campaigns
    WHERE state <> 'finished'`.execute(owner)
  for (const { name, state } of open) problems.push(`${name} is ${state}`)
  return { problems, ...proof }
}
