import { type RawBuilder, sql } from 'kysely'
import type { Audience } from '#domain/campaigns/campaigns.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { affiliatePeople, schoolPeople, visitorPeople } from './event-and-outreach.ts'
import { type FilterValues, parseOwnFilters } from './filters.ts'
import { leadPeople } from './leads.ts'
import { registrationPeople } from './registrations.ts'

export type AudienceQuestion = {
  audience: Audience
  filters: FilterValues
  sheetId: string | null
}

/**
 * SQL for the people of an audience within the actor's row scope. 422 for a wrong filter or sheet, 403 if the audience
 * needs a view of the whole university and the actor has none.
 */
export async function peopleOf(
  services: Services,
  actor: Actor,
  { audience, filters, sheetId }: AudienceQuestion,
  names: readonly string[],
): Promise<RawBuilder<unknown>> {
  // Each query returns the columns that `judge` reads. `values` holds the values of the placeholders in `names`;
  // `place` is the sort key.
  if (audience === 'registrations') return registrationPeople(services, actor, filters, names)
  if (audience === 'sheet') {
    parseOwnFilters('sheet', filters)
    return sheetPeople(services, actor, sheetId, names)
  }
  requireWholeView(actor, 'settings_need_whole_view')
  if (audience === 'leads') return leadPeople(services, actor, filters, names)
  if (audience === 'visitors') return visitorPeople(filters, names)
  return audience === 'schools' ? schoolPeople(services, filters, names) : affiliatePeople(filters, names)
}

/** SQL condition: the actor uploaded the sheet, or sees the whole university. */
export const sheetsVisibleTo = (actor: Actor, alias = 's'): RawBuilder<boolean> =>
  seesAll(actor) ? sql<boolean>`true` : sql<boolean>`${sql.ref(`${alias}.created_by`)} = ${actor.accountId}`

async function sheetPeople({ db }: Services, actor: Actor, sheetId: string | null, names: readonly string[]) {
  const sheet = sheetId
    ? await db
        .selectFrom('campaignSheets as s')
        .select('s.id')
        .where('s.id', '=', sheetId)
        .where(sheetsVisibleTo(actor))
        .executeTakeFirst()
    : undefined
  if (!sheet) throw invalid({ sheetId: 'campaign_sheet_unknown' })
  const pairs = names.flatMap((name) => [sql`${name}::text`, sql`w.values -> ${name}`])
  return sql`SELECT w.id AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id,
      coalesce(w.name, '') AS name, coalesce(w.language, 'id') AS language, NULL::text AS province, w.phone, w.email,
      true AS takes_whatsapp,
      ${pairs.length > 0 ? sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))` : sql`'{}'::jsonb`} AS values,
      -- Planning skips repeated addresses with its own reason.
      w.is_invalid AND jsonb_path_exists(w.problems, '$[*] ? (@.code != "phone_repeated" && @.code != "email_repeated")')
        AS is_invalid, w.number AS place
    FROM campaign_sheet_rows w WHERE w.sheet_id = ${sheet.id}`
}
