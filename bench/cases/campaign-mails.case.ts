import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { startSending } from '#server/modules/sending/sender.ts'
import { campaignMailsAtOnce } from '#server/platform/mail.ts'
import type { Case } from '../measure.ts'
import { type OwnProduct, ownProduct } from '../own-product.ts'

/** Mails per round and side. */
const mails = Number(process.env.BENCH_MAILS ?? 10_000)
/** The product's goal, in seconds for 10,000 mails. */
const goalSeconds = 180

type Ready = OwnProduct & { smtpUrl: string; received: Set<string> }

/** A local mail server that remembers receivers. */
async function sinkOf(received: Set<string>) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        received.add(session.envelope.rcptTo[0]!.address)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function prepare(): Promise<Ready> {
  const received = new Set<string>()
  const server = await sinkOf(received)
  const smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const own = await ownProduct('mails', 100, { SMTP_URL: smtpUrl, MAIL_FROM: 'PMB <pmb@demo.test>' })
  const { db } = own
  const limits = {
    mailsPerMinute: 100_000,
    mailsPerMinutePerDomain: 100_000,
    mailsPerDay: 10_000_000,
    quietHours: false,
  }
  for (const [key, value] of Object.entries(limits))
    await db.query('INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2', [
      key,
      JSON.stringify(value),
    ])
  return {
    ...own,
    smtpUrl,
    received,
    async stop() {
      await own.stop()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

/** Plans a campaign with its recipients, in place of the previous round's. */
async function plan(db: pg.Client): Promise<string> {
  await db.query('DELETE FROM campaigns; DELETE FROM sending_counts')
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO campaigns (name, audience, purpose, channels, subject_id, subject_en, body_id, body_en, state, planned_at,
       recipient_count, reachable_count, created_at, created_by, updated_at)
     SELECT 'Surat massal', 'registrations', 'admission', ARRAY['email'], 'Kabar untuk {{name}}', 'News for {{name}}',
       'Yth. {{name}}, {{text}}', 'Dear {{name}}, {{text}}', 'planned', now(), $1::int, $1, now(), id, now()
     FROM accounts WHERE email = 'administrator@demo.test' RETURNING id`,
    [mails],
  )
  const { id } = rows[0]!
  await db.query(
    `INSERT INTO campaign_recipients (campaign_id, number, name, language, time_zone, phone, email, values, channels, state,
       due_at, state_at)
     SELECT $1, n, 'Penerima ' || n, 'id', 'Asia/Jakarta', NULL, 'penerima-' || n || '@domain-' || n % 40 || '.example',
       jsonb_build_object('text', repeat('Batas waktu unggah dokumen Anda. ', 8)), ARRAY['email'], 'planned', now(), now()
     FROM generate_series(1, $2::int) n`,
    [id, mails],
  )
  await db.query('VACUUM ANALYZE campaign_recipients, handovers')
  await db.query('CHECKPOINT')
  return id
}

let ready: Promise<Ready> | undefined
const isReady = () => {
  ready ??= prepare()
  return ready
}

/** Runs one side; throws unless every mail arrived and is marked as accepted, with one handover each. */
async function rateOf({ db, received }: Ready, side: string, send: (campaignId: string) => Promise<unknown>) {
  const id = await plan(db)
  received.clear()
  const startMs = performance.now()
  await send(id)
  const seconds = (performance.now() - startMs) / 1_000
  const { rows } = await db.query<{ accepted: number; handovers: number }>(
    `SELECT (SELECT count(*)::int FROM campaign_recipients WHERE campaign_id = $1 AND state = 'accepted') AS accepted,
       (SELECT count(*)::int FROM handovers WHERE campaign_id = $1 AND state = 'accepted') AS handovers`,
    [id],
  )
  const { accepted, handovers } = rows[0]!
  if (received.size !== mails || accepted !== mails || handovers !== mails)
    throw new Error(`${received.size} arrived, ${accepted} accepted, ${handovers} handed over`)
  console.log(`${mails.toLocaleString('en')} mails handed over by ${side} in ${seconds.toFixed(1)} s`)
  return { rate: mails / seconds, seconds }
}

const claim = `WITH due AS (SELECT number FROM campaign_recipients WHERE campaign_id = $1 AND state = 'planned'
      AND channels[1] = 'email' AND due_at <= now() ORDER BY due_at, number LIMIT ${campaignMailsAtOnce} FOR UPDATE SKIP LOCKED),
    handed AS (UPDATE campaign_recipients r SET state = 'handed', handover_id = gen_random_uuid(), attempts = 1,
      due_at = NULL, state_at = now() FROM due WHERE r.campaign_id = $1 AND r.number = due.number
      RETURNING r.number, r.handover_id, r.email, r.name, r.values)
  INSERT INTO handovers (id, campaign_id, number, channel, address, state, handed_at, leased_until, state_at)
  SELECT handover_id, $1, number, 'email', email, 'handed', now(), now() + interval '5 minutes', now() FROM handed
  RETURNING id, number, address`
const settle = `WITH handovers AS (UPDATE handovers SET state = 'accepted', leased_until = NULL, state_at = now()
    WHERE id = ANY($1) RETURNING campaign_id, number)
  UPDATE campaign_recipients r SET state = 'accepted', state_at = now() FROM handovers h
  WHERE r.campaign_id = h.campaign_id AND r.number = h.number`

/**
 * Claims, sends and records ten mails at a time, with the same text but without pace, opt-outs, permissions and states.
 */
async function sendByHand({ db, smtpUrl }: Ready, campaignId: string) {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: campaignMailsAtOnce,
    maxMessages: Infinity,
  })
  const text = `Yth. penerima, ${'Batas waktu unggah dokumen Anda. '.repeat(8)}\n\n--\nPesan ini dikirim otomatis.`
  for (;;) {
    const { rows } = await db.query<{ id: string; address: string }>({
      name: 'claim',
      text: claim,
      values: [campaignId],
    })
    if (rows.length === 0) break
    await Promise.all(
      rows.map(({ id, address }) =>
        transport.sendMail({
          from: 'PMB <pmb@demo.test>',
          to: address,
          subject: 'Kabar untuk penerima',
          text,
          html: `<!doctype html><p>${text}</p>`,
          messageId: `<${id}@demo.test>`,
          headers: { 'List-Unsubscribe': `<https://pmb.example/api/opt-out/${id}>` },
        }),
      ),
    )
    await db.query({ name: 'settle', text: settle, values: [rows.map(({ id }) => id)] })
  }
  transport.close()
}

/** 10,000 mails of a campaign handed to a local mail server, against a hand-written loop. */
export const campaignMailsCase: Case = {
  ownDatabase: true,
  goal: 0.4,
  unit: 'mails/s',
  async ours() {
    const bench = await isReady()
    const { rate, seconds } = await rateOf(bench, 'the product', async (id) => {
      await bench.db.query("UPDATE campaigns SET state = 'scheduled' WHERE id = $1", [id])
      const sender = startSending(bench.product.services)
      for (let state = ''; state !== 'finished'; await wait(50))
        state = (await bench.db.query<{ state: string }>('SELECT state FROM campaigns WHERE id = $1', [id])).rows[0]!
          .state
      await sender.stop()
    })
    if (seconds > (goalSeconds * mails) / 10_000) throw new Error(`goal: ${goalSeconds} s for 10,000 mails`)
    return rate
  },
  async theirs() {
    const bench = await isReady()
    return (await rateOf(bench, 'hand', (id) => sendByHand(bench, id))).rate
  },
  close: async () => (await ready)?.stop(),
}
