import { type RawBuilder, sql } from 'kysely'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

/** What is planned: channels, purpose and texts of a campaign. */
export type Plan = Pick<CampaignDraft, 'purpose' | 'channels' | 'subjectId' | 'subjectEn' | 'bodyId' | 'bodyEn'> & {
  template: { name: string; providerTemplate: string | null; bodyId: string; bodyEn: string } | null
  /** The campaign that this one continues: whom it reached is left out. */
  parentId: string | null
}

/** Milliseconds after the receiver's last message in which WhatsApp allows free text. */
const windowMs = 24 * 60 * 60_000

/** Placeholders that every recipient has. */
const everybodys = ['name', 'university']

/** Names that the texts of a plan need of each recipient. */
export function namesUsedBy({ subjectId, subjectEn, bodyId, bodyEn, template }: Plan): string[] {
  const texts = [subjectId, subjectEn, bodyId, bodyEn, template?.bodyId ?? '', template?.bodyEn ?? '']
  return [...new Set(texts.flatMap(placeholdersOf))].filter((name) => !everybodys.includes(name))
}

/** Provinces of the two eastern time zones, by the code of the Ministry of Home Affairs; all others are western. */
const centralProvinces = ['51', '52', '53', '63', '64', '65', '71', '72', '73', '74', '75', '76']
const easternProvinces = ['81', '82', '91', '92', '93', '94', '95', '96', '97']

const inList = (values: readonly string[]) => sql`(${sql.join(values.map((value) => sql.lit(value)))})`

/** Meta lets free text out only to people who wrote within a day; other kinds of connections take it always. */
async function freeTextNeedsWindow(db: Db) {
  const connection = await db
    .selectFrom('whatsappConnections')
    .select(['id', 'kind'])
    .where('isDefault', '=', true)
    .where('active', '=', true)
    .executeTakeFirst()
  return connection && { id: connection.id, isCloud: connection.kind === 'cloud' }
}

/**
 * People with their channels and the reason for which they are skipped, judged in the order of `skipReasons`. Columns:
 * number, those of the people, channels, reason.
 */
export async function judged(db: Db, plan: Plan, people: RawBuilder<unknown>, now: Date): Promise<RawBuilder<unknown>> {
  const { purpose, channels, template } = plan
  const { timeZone } = await getSettings(db)
  const connection = await freeTextNeedsWindow(db)
  const names = namesUsedBy(plan)
  const optedOut = (address: RawBuilder<unknown>) =>
    purpose === 'service'
      ? sql`false`
      : sql`${address} IN (SELECT address FROM opt_outs WHERE purpose = ${purpose} AND lifted_at IS NULL)`
  const suppressed = (channel: string, address: RawBuilder<unknown>) =>
    sql`coalesce(${address} IN (SELECT address FROM suppressed_addresses WHERE channel = ${channel} AND lifted_at IS NULL), false)`
  const needsWindow = connection?.isCloud === true && !template?.providerTemplate
  const inWindow = needsWindow
    ? sql`phone IN (SELECT phone FROM whatsapp_windows WHERE connection_id = ${connection.id}
        AND last_at > ${new Date(now.getTime() - windowMs)})`
    : sql`true`
  const hasAddress = {
    whatsapp: sql`(phone IS NOT NULL AND takes_whatsapp AND ${connection ? sql`true` : sql`false`})`,
    email: sql`(email IS NOT NULL)`,
    inbox: sql`(account_id IS NOT NULL)`,
  }
  const isFree = {
    whatsapp: sql`NOT phone_suppressed`,
    email: sql`NOT email_suppressed`,
    inbox: sql`true`,
  }
  const isOpen = { whatsapp: inWindow, email: sql`true`, inbox: sql`true` }
  const some = (conditionOf: (channel: (typeof channels)[number]) => RawBuilder<unknown>) =>
    sql`(${sql.join(channels.map(conditionOf), sql` OR `)})`
  const list = sql`array_remove(ARRAY[${sql.join(
    channels.map(
      (channel) =>
        sql`CASE WHEN ${hasAddress[channel]} AND ${isFree[channel]} AND ${isOpen[channel]} THEN ${sql.lit(channel)} END`,
    ),
  )}]::text[], NULL)`
  const missing =
    names.length === 0 ? sql`false` : sql`NOT values ?& ARRAY[${sql.join(names.map((name) => sql`${name}`))}]::text[]`
  const reached = plan.parentId
    ? sql`EXISTS (SELECT FROM campaign_recipients q WHERE q.campaign_id = ${plan.parentId}
        AND q.state IN ('handed', 'accepted', 'delivered', 'read', 'uncertain')
        AND (q.account_id = account_id OR q.phone = phone OR q.email = email))`
    : sql`false`
  return sql`
    SELECT *, CASE
        WHEN reason0 IS NOT NULL THEN reason0
        WHEN account_id IS NOT NULL AND row_number() OVER (PARTITION BY account_id, reason0 IS NULL ORDER BY number) > 1
          THEN 'same_person'
        WHEN row_number() OVER (PARTITION BY CASE channels[1] WHEN 'whatsapp' THEN phone WHEN 'email' THEN email
          ELSE account_id::text END, reason0 IS NULL ORDER BY number) > 1 THEN 'same_address'
      END AS reason
    FROM (
      SELECT *, CASE
          WHEN problems IS NOT NULL THEN 'invalid_row'
          WHEN NOT ${some((channel) => hasAddress[channel])} THEN 'no_address'
          WHEN phone_opted_out OR email_opted_out THEN 'opted_out'
          WHEN NOT ${some((channel) => sql`(${hasAddress[channel]} AND ${isFree[channel]})`)} THEN 'suppressed'
          WHEN ${missing} THEN 'value_missing'
          WHEN NOT ${some((channel) => sql`(${hasAddress[channel]} AND ${isFree[channel]} AND ${isOpen[channel]})`)}
            THEN 'window_closed'
          WHEN ${reached} THEN 'continued'
        END AS reason0, ${list} AS channels
      FROM (
        SELECT row_number() OVER (ORDER BY place, source_id)::int AS number, source_id, account_id, registration_id,
          left(name, 120) AS name, language, phone, email, takes_whatsapp, values, problems,
          CASE WHEN province IN ${inList(centralProvinces)} THEN 'Asia/Makassar'
            WHEN province IN ${inList(easternProvinces)} THEN 'Asia/Jayapura'
            WHEN province IS NOT NULL THEN 'Asia/Jakarta' ELSE ${timeZone} END AS time_zone,
          coalesce(${optedOut(sql`phone`)}, false) AS phone_opted_out,
          coalesce(${optedOut(sql`email`)}, false) AS email_opted_out,
          ${suppressed('whatsapp', sql`phone`)} AS phone_suppressed,
          ${suppressed('email', sql`email`)} AS email_suppressed
        FROM (SELECT source_id, account_id, registration_id, name, language, province, place, takes_whatsapp, values, problems,
            nullif(phone, '') AS phone, nullif(lower(email), '') AS email FROM (${people}) AS found) AS known
      ) AS addressed
    ) AS checked`
}

/** Writes the recipients of a campaign in one statement and returns how many there are, and how many are not skipped. */
export async function writeRecipients(tx: Db, campaignId: string, plan: Plan, people: RawBuilder<unknown>, now: Date) {
  const rows = await judged(tx, plan, people, now)
  const names = namesUsedBy(plan)
  const kept =
    names.length === 0
      ? sql`'{}'::jsonb`
      : sql`(SELECT coalesce(jsonb_object_agg(key, values -> key), '{}') FROM unnest(ARRAY[${sql.join(
          names.map((name) => sql`${name}`),
        )}]::text[]) AS key WHERE values ? key)`
  const { rows: counts } = await sql<{ recipients: number; reachable: number }>`
    WITH written AS (
      INSERT INTO campaign_recipients (campaign_id, number, source_id, account_id, registration_id, name, language, time_zone,
        phone, email, values, channels, state, reason, due_at, state_at)
      SELECT ${campaignId}, number, source_id, account_id, registration_id, name, language, time_zone, phone, email, ${kept},
        CASE WHEN reason IS NULL THEN channels ELSE '{}' END, CASE WHEN reason IS NULL THEN 'planned' ELSE 'skipped' END,
        reason, CASE WHEN reason IS NULL THEN ${now}::timestamptz END, ${now}
      FROM (${rows}) AS judged
      RETURNING state)
    SELECT count(*)::int AS recipients, (count(*) FILTER (WHERE state = 'planned'))::int AS reachable FROM written`.execute(
    tx,
  )
  return counts[0]!
}
