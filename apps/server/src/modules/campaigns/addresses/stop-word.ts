import { optOutByWord } from '#server/modules/campaigns/addresses/opt-outs.ts'
import type { Tx } from '#server/platform/database/database.ts'

const words = new Set(['stop', 'berhenti', 'unsubscribe', 'stop promosi', 'stop promotions', 'berhenti berlangganan'])

/** Whether the whole text is a stop word. Ignores case, and reads anything but a letter as a space. */
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

/** Opts the phone out of all marketing if `text` is a stop word. Returns whether it is. */
export async function handleStopWord(tx: Tx, { phone, text, at }: Received): Promise<boolean> {
  if (!isStopWord(text)) return false
  await optOutByWord(tx, { address: phone, now: at })
  return true
}
