import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Received } from './sinks.ts'

type Row = {
  channel: 'email' | 'whatsapp'
  number: number
  state: string
  handoverId: string | null
  address: string
}

export type SendingProof = {
  problems: string[]
  reached: number
  uncertainMails: number
  /** Mails among them that the mail server has. */
  uncertainButReceived: number
  /** Messages of WhatsApp that Meta never got, so that no report can come: the process died between commit and call. */
  neverCalled: number
}

/**
 * Compares the recipients with what the sinks received: everybody is reached or uncertain, nobody twice, nothing is
 * counted as sent that no sink has, and what the Cloud API received is settled by its reports.
 */
export async function proveSending(
  owner: Db,
  sinks: { email: Received; whatsapp: Received },
  { kills, workers }: { kills: number; workers: { email: number; whatsapp: number } },
): Promise<SendingProof> {
  const problems: string[] = []
  const { rows } = await sql<Row>`SELECT channels[1] AS channel, number, state, handover_id,
    CASE channels[1] WHEN 'email' THEN email ELSE ltrim(phone, '+') END AS address FROM campaign_recipients`.execute(
    owner,
  )
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
