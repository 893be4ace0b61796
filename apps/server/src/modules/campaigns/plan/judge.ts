import { type RawBuilder, sql } from 'kysely'
import { type Channel, needsTexts, type Purpose, type Texts } from '#domain/campaigns/campaigns.ts'
import { placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Language } from '#entities/define/language.ts'
import { accountOptOuts } from '#server/modules/campaigns/addresses/account-addresses.ts'
import { familyOf, isKnownTo, isUnreachedBy } from '#server/modules/campaigns/continuations.ts'
import { freeTextMs } from '#server/modules/whatsapp/window.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

/** The part of a template that is frozen when a campaign is planned. */
export type FrozenTemplate = { name: string; providerTemplate: string | null; bodyId: string; bodyEn: string }

/** The campaign's purpose, channels and texts. From these, `judge` decides whom the campaign can reach. */
export type Plan = Texts & {
  purpose: Purpose
  channels: readonly Channel[]
  template: FrozenTemplate | null
  /** Names in `commonPlaceholders` that no sheet column overrides. */
  commonNames: readonly string[]
  /**
   * Campaign that this one continues; null if there is none. For a continuation, `judge` keeps only recipients of
   * campaigns in its family (see `findFamily`) whom none of these campaigns has reached.
   */
  parentId: string | null
}

/** Placeholders in the texts that the plan sends in one language. */
export function placeholdersFor(plan: Plan, language: Language): string[] {
  const [subject, body, templateBody] =
    language === 'id'
      ? [plan.subjectId, plan.bodyId, plan.template?.bodyId]
      : [plan.subjectEn, plan.bodyEn, plan.template?.bodyEn]
  const usesTemplate = plan.channels.includes('whatsapp') && templateBody !== undefined
  const texts = [
    ...(needsTexts(plan.channels, plan.template !== null) ? [subject, body] : []),
    ...(usesTemplate ? [templateBody] : []),
  ]
  return [...new Set(texts.flatMap(placeholdersOf))]
}

/** Placeholders in the texts of one language, without `commonNames`. */
const namesFor = (plan: Plan, language: Language) =>
  placeholdersFor(plan, language).filter((name) => !plan.commonNames.includes(name))

/** Placeholders in the texts of all languages, without `commonNames`. */
export const namesOf = (plan: Plan) => [...new Set([...namesFor(plan, 'id'), ...namesFor(plan, 'en')])]

/** Codes of the provinces in the central and eastern time zones. Other provinces are in the western zone. */
const centralProvinces = ['51', '52', '53', '63', '64', '65', '71', '72', '73', '74', '75', '76']
const easternProvinces = ['81', '82', '91', '92', '93', '94', '95', '96', '97']

const literals = (values: readonly string[]) => sql`(${sql.join(values.map((value) => sql.lit(value)))})`

/**
 * The default WhatsApp connection, which campaigns use. `isCloud`: free text reaches only people who wrote within the
 * last 24 hours.
 */
export async function findConnection(db: Db) {
  const connection = await db
    .selectFrom('whatsappConnections')
    .select(['id', 'kind'])
    .where('isDefault', '=', true)
    .executeTakeFirst()
  return connection && { id: connection.id, isCloud: connection.kind === 'cloud' }
}

/**
 * SQL that adds to `people` the channels that can reach each person, and the first reason to skip the person. 409
 * for a continuation if a campaign in its family is forgotten (see `familyOf`).
 */
export async function judge(db: Db, plan: Plan, people: RawBuilder<unknown>, now: Date): Promise<RawBuilder<unknown>> {
  const { purpose, channels, template } = plan
  const { timeZone } = await getSettings(db)
  const connection = channels.includes('whatsapp') ? await findConnection(db) : undefined
  const isOptedOut = (address: RawBuilder<unknown>) =>
    purpose === 'service'
      ? sql`false`
      : sql`coalesce(${address} IN (SELECT address FROM opt_outs WHERE purpose = ${purpose} AND lifted_at IS NULL), false)`
  // Without the first condition, people without an account would be compared with every opt-out.
  const isAccountOptedOut =
    purpose === 'service'
      ? sql`false`
      : sql`(account_id IS NOT NULL AND account_id IN (SELECT o.account_id FROM ${accountOptOuts} o
          WHERE o.purpose = ${purpose}))`
  const isSuppressed = (channel: Channel, address: RawBuilder<unknown>) =>
    channels.includes(channel)
      ? sql`coalesce(${address} IN (SELECT address FROM suppressed_addresses WHERE channel = ${channel}
          AND lifted_at IS NULL), false)`
      : sql`false`
  const isInWindow =
    connection?.isCloud && !template
      ? sql`coalesce(phone IN (SELECT address FROM whatsapp_windows WHERE connection_id = ${connection.id}
          AND last_at > ${new Date(now.getTime() - freeTextMs)}), false)`
      : sql`true`
  const hasAddress: Record<Channel, RawBuilder<unknown>> = {
    whatsapp: sql`(phone IS NOT NULL AND takes_whatsapp)`,
    email: sql`(email IS NOT NULL)`,
    inbox: sql`(account_id IS NOT NULL)`,
  }
  const isFree: Record<Channel, RawBuilder<unknown>> = {
    whatsapp: sql`(${hasAddress.whatsapp} AND NOT phone_suppressed)`,
    email: sql`(${hasAddress.email} AND NOT email_suppressed)`,
    inbox: hasAddress.inbox,
  }
  const isOpen: Record<Channel, RawBuilder<unknown>> = {
    ...isFree,
    whatsapp: sql`(${isFree.whatsapp} AND in_window)`,
  }
  const any = (conditions: Record<Channel, RawBuilder<unknown>>) =>
    sql`(${sql.join(
      channels.map((channel) => conditions[channel]),
      sql` OR `,
    )})`
  const left = sql`array_remove(ARRAY[${sql.join(
    channels.map((channel) => sql`CASE WHEN ${isOpen[channel]} THEN ${sql.lit(channel)} END`),
  )}]::text[], NULL)`
  const lacks = (language: Language) => {
    const names = namesFor(plan, language)
    const usesName = plan.commonNames.includes('name') && placeholdersFor(plan, language).includes('name')
    const lacksName = usesName ? sql`name = ''` : sql`false`
    return names.length === 0 ? lacksName : sql`(${lacksName} OR NOT values ?& ${names}::text[])`
  }
  const family = plan.parentId ? await familyOf(db, plan.parentId) : null
  const isLeft = family ? sql`${isKnownTo(family)} AND ${isUnreachedBy(family)}` : sql`true`
  // If recipients share an address, one of them keeps the channel. Otherwise the address could get two messages.
  const isTaken = (channel: 'whatsapp' | 'email', address: RawBuilder<unknown>) =>
    channels.length > 1 && channels.includes(channel)
      ? sql`CASE WHEN reason IS NULL AND open_channels[1] <> ${channel} AND row_number() OVER (
          PARTITION BY ${address}, reason IS NULL AND ${channel} = ANY(open_channels)
          ORDER BY open_channels[1] = ${channel} DESC, number) > 1 THEN ${channel} END`
      : sql`NULL`
  return sql`
    SELECT *, array_remove(array_remove(open_channels, ${isTaken('whatsapp', sql`phone`)}),
      ${isTaken('email', sql`email`)}) AS channels
    FROM (SELECT *, CASE
        WHEN own_reason IS NOT NULL THEN own_reason
        WHEN account_id IS NOT NULL
          AND row_number() OVER (PARTITION BY account_id, own_reason IS NULL ORDER BY number) > 1 THEN 'same_person'
        WHEN row_number() OVER (PARTITION BY CASE open_channels[1] WHEN 'whatsapp' THEN phone WHEN 'email' THEN email
          ELSE account_id::text END, own_reason IS NULL ORDER BY number) > 1 THEN 'same_address'
      END AS reason
    FROM (
      SELECT *, ${left} AS open_channels, (${isFree.whatsapp} AND NOT in_window) AS out_of_window, CASE
          WHEN NOT ${any(hasAddress)} THEN 'no_address'
          WHEN is_invalid THEN 'invalid_row'
          WHEN phone_opted_out OR email_opted_out OR account_opted_out THEN 'opted_out'
          WHEN NOT ${any(isFree)} THEN 'suppressed'
          WHEN CASE language WHEN 'id' THEN ${lacks('id')} ELSE ${lacks('en')} END
            THEN 'value_missing'
          WHEN NOT ${any(isOpen)} THEN 'window_closed'
        END AS own_reason
      FROM (
        SELECT row_number() OVER (ORDER BY place, source_id)::int AS number, source_id, account_id, registration_id,
          left(name, 120) AS name, language, phone, email, takes_whatsapp, values, is_invalid,
          CASE WHEN province IN ${literals(centralProvinces)} THEN 'Asia/Makassar'
            WHEN province IN ${literals(easternProvinces)} THEN 'Asia/Jayapura'
            WHEN province IS NOT NULL THEN 'Asia/Jakarta' ELSE ${timeZone} END AS time_zone,
          ${isOptedOut(sql`phone`)} AS phone_opted_out, ${isOptedOut(sql`email`)} AS email_opted_out,
          ${isAccountOptedOut} AS account_opted_out,
          ${isSuppressed('whatsapp', sql`phone`)} AS phone_suppressed,
          ${isSuppressed('email', sql`email`)} AS email_suppressed, ${isInWindow} AS in_window
        FROM (SELECT source_id, account_id, registration_id, name, language, province, place, takes_whatsapp, values,
            is_invalid, nullif(phone, '') AS phone, nullif(lower(email), '') AS email FROM (${people}) AS found) AS known
        WHERE ${isLeft}
      ) AS addressed
    ) AS checked) AS judged_alone`
}
