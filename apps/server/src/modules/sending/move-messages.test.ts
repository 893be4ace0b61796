import crypto from 'node:crypto'
import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate } from '#server/platform/database/migrate.ts'
import { asOwner, createDatabase, dropDatabase, templateName } from '#server-test/database.ts'

/** Columns of `messages` before messages and campaigns shared one sender. */
type Old = {
  channel?: 'email' | 'whatsapp' | 'inbox'
  event?: string
  status?: string
  attempts?: number
  to_address?: string | null
  error?: string
  due_at?: string
  claimed_until?: string
  handed_at?: string
  sent_at?: string
  connection_id?: string
  provider_message_id?: string
}

async function write(client: pg.Client, values: Old) {
  const row = {
    ...{ id: crypto.randomUUID(), channel: 'email', event: 'note', language: 'id', subject: 'x', body: 'x' },
    ...{ to_address: 'a@example.com', created_at: '2027-01-01T00:00:00Z' },
    ...values,
  }
  const names = Object.keys(row)
  await client.query(
    `INSERT INTO messages (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return row.id
}

test('an update hands waiting messages to the sender: none is lost, and those possibly sent are not sent again', async () => {
  const name = `pmb_test_move_${process.pid}`
  const templateUrl = inject('templateUrl')
  const url = templateUrl.replace(`/${templateName}`, `/${name}`)
  await createDatabase(templateUrl, name, 'template0')
  try {
    await migrate(url, '0241')
    const ids = await asOwner(url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM whatsapp_connections')
      const connection = rows[0]!.id
      const whatsapp = { channel: 'whatsapp' as const, to_address: '+62811' }
      const written = {
        link: await write(client, { event: 'reset-password' }),
        retried: await write(client, { attempts: 2, error: '451 later' }),
        inFlight: await write(client, { attempts: 1 }),
        postponed: await write(client, {
          ...whatsapp,
          due_at: '2027-01-05T00:00:00Z',
          attempts: 1,
          error: 'pair_limit',
        }),
        claimed: await write(client, {
          ...whatsapp,
          ...{ attempts: 1, claimed_until: '2027-01-01T00:02:00Z', handed_at: '2027-01-01T00:00:01Z' },
          connection_id: connection,
        }),
        answer: await write(client, { ...whatsapp, event: 'chat-answer', connection_id: connection }),
        sent: await write(client, {
          ...whatsapp,
          ...{ status: 'sent', handed_at: '2027-01-01T00:00:01Z', sent_at: '2027-01-01T00:00:02Z' },
          ...{ connection_id: connection, provider_message_id: 'wamid.1' },
        }),
        failed: await write(client, { status: 'failed', error: '550 no' }),
        erased: await write(client, { to_address: null }),
        inbox: await write(client, { channel: 'inbox', status: 'read', to_address: null }),
      }
      // The old job queue's rows for these messages.
      await client.query('CREATE SCHEMA pgboss; CREATE TABLE pgboss.job (name text, state text, data jsonb)')
      for (const [id, state] of [
        [written.link, 'created'],
        [written.retried, 'retry'],
        [written.inFlight, 'active'],
      ])
        await client.query(
          `INSERT INTO pgboss.job VALUES ('deliver-message', $1, jsonb_build_object('messageId', $2::text))`,
          [state, id],
        )
      await client.query(`INSERT INTO pgboss.job VALUES ('clean-up', 'created', '{}')`)
      return written
    })
    await migrate(url)
    await asOwner(url, async (client) => {
      const { rows } =
        await client.query(`SELECT m.id, m.status, m.error, h.state, h.urgency, h.due_at, h.bound_to IS NOT NULL AS bound,
          h.leased_until IS NOT NULL AS leased, h.provider_message_id AS wamid
        FROM messages m LEFT JOIN handovers h ON h.message_id = m.id`)
      const of = (key: keyof typeof ids) => rows.find(({ id }) => id === ids[key])
      expect(rows).toHaveLength(Object.keys(ids).length)
      expect(of('link')).toMatchObject({ status: 'queued', state: 'due', urgency: 1, due_at: expect.any(Date) })
      expect(of('retried')).toMatchObject({ status: 'queued', state: 'due', error: '451 later', urgency: 4 })
      expect(of('inFlight')).toMatchObject({ status: 'queued', state: 'handed', leased: true, due_at: null })
      expect(of('postponed')).toMatchObject({ state: 'due', due_at: new Date('2027-01-05T00:00:00Z') })
      expect(of('claimed')).toMatchObject({ status: 'queued', state: 'handed', leased: true })
      expect(of('answer')).toMatchObject({ state: 'due', urgency: 2, bound: true })
      expect(of('sent')).toMatchObject({ status: 'sent', state: 'accepted', wamid: 'wamid.1', bound: false })
      expect(of('failed')).toMatchObject({ status: 'failed', state: 'failed', error: '550 no' })
      expect(of('erased')).toMatchObject({ status: 'failed', state: 'failed', error: 'interrupted' })
      expect(of('inbox')).toMatchObject({ status: 'read', state: null })
      expect((await client.query('SELECT name FROM pgboss.job')).rows).toEqual([{ name: 'clean-up' }])
    })
  } finally {
    await dropDatabase(templateUrl, name)
  }
}, 120_000)
