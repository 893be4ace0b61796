import { sql } from 'kysely'
import { createConnection } from '#server/modules/whatsapp/connections/save-connection.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Running } from '#server/platform/start-services.ts'
import { cloudSecrets } from './sinks.ts'

/** Campaigns per channel, so that a sender has several at a time. */
const campaignsPerChannel = 2

/** Writes released campaigns with recipients, half of them on each channel, and lifts every rate limit. */
export async function planCampaigns({ services, owner }: Running, messages: number, graphUrl: string) {
  const now = services.clock.now()
  const { id: makerId } = await services.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', 'administrator@demo.test')
    .executeTakeFirstOrThrow()
  const actor = await findActorOf(services.db, makerId, now)
  if (!actor) throw new Error('the administrator of the demo may not sign in')
  const { id: connectionId } = await createConnection(services, actor, {
    kind: 'cloud',
    name: 'Cloud API',
    phone: null,
    active: true,
    isDefault: true,
    perMinute: 4_800,
    perDay: 1_000_000,
    phoneNumberId: cloudSecrets.phoneNumberId,
    businessAccountId: null,
    graphUrl,
    graphVersion: 'v24.0',
    accessToken: cloudSecrets.token,
    appSecret: cloudSecrets.appSecret,
  })
  await openPaces(owner)
  // The demo's campaigns would share the workers, and an address it blocks may be a recipient's.
  await owner.deleteFrom('campaigns').execute()
  await owner.deleteFrom('suppressedAddresses').execute()
  const size = Math.ceil(messages / (2 * campaignsPerChannel))
  for (const channel of ['email', 'whatsapp'] as const)
    for (let campaign = 0; campaign < campaignsPerChannel; campaign++) {
      const { rows } = await sql<{ id: string }>`
        INSERT INTO campaigns (name, audience, purpose, channels, subject_id, subject_en, body_id, body_en, template, state,
          planned_at, released_at, recipient_count, reachable_count, created_at, created_by, updated_at)
        VALUES (${`Kampanye ${channel} ${campaign}`}, 'registrations', 'service', ARRAY[${channel}], 'Kabar {{name}}',
          'News {{name}}', 'Yth. {{name}}', 'Dear {{name}}',
          ${JSON.stringify({ name: 'Kabar', providerTemplate: 'kabar', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' })},
          'planned', ${now}, ${now}, ${size}, ${size}, ${now}, ${makerId}, ${now})
        RETURNING id`.execute(owner)
      const { id } = rows[0]!
      const offset = campaign * size
      await sql`INSERT INTO campaign_recipients (campaign_id, number, name, language, time_zone, phone, email, values,
          channels, state, due_at, state_at)
        SELECT ${id}, n, 'Penerima ' || n, 'id', 'Asia/Jakarta', '+62812' || lpad((${offset}::int + n)::text, 8, '0'),
          'penerima-' || (${offset}::int + n) || '@domain-' || n % 40 || '.example', '{}', ARRAY[${channel}], 'planned',
          ${now}, ${now}
        FROM generate_series(1, ${size}::int) n`.execute(owner)
    }
  await sql`ANALYZE campaign_recipients, campaigns`.execute(owner)
  return { connectionId }
}

export const releaseCampaigns = (owner: Db) => sql`UPDATE campaigns SET state = 'scheduled'`.execute(owner)

/** Limits so high that only the sinks bound the rate. */
const openLimits = {
  mailsPerMinute: 100_000,
  mailsPerMinutePerDomain: 100_000,
  mailsPerDay: 10_000_000,
  quietHours: false,
}

async function openPaces(owner: Db) {
  for (const [key, value] of Object.entries(openLimits))
    await owner
      .insertInto('settings')
      .values({ key, value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
}

/** Ids of the messages that the torture writes besides its campaigns. */
export const ownMessages = sql`SELECT id FROM messages
  WHERE to_address LIKE 'penerima-%' OR to_address LIKE '+62813000%' OR to_address LIKE '+62814000%'`

export type Left = { planned: number; handed: number }

export async function countLeft(owner: Db): Promise<Left> {
  const { rows } = await sql<Left>`SELECT count(*) FILTER (WHERE state IN ('planned', 'due'))::int AS planned,
    count(*) FILTER (WHERE state = 'handed')::int AS handed
    FROM (SELECT state FROM campaign_recipients
      UNION ALL SELECT state FROM handovers WHERE message_id IN (${ownMessages})) s`.execute(owner)
  return rows[0]!
}

/** Expires the leases of everything not settled by an answer or report, as if their hour had passed. */
export const endLeases = (owner: Db) =>
  sql`UPDATE handovers SET leased_until = now() - interval '1 second' WHERE state = 'handed'`.execute(owner)
