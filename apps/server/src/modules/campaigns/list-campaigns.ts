import { sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import type { Channel } from '#domain/campaigns/campaigns.ts'
import { listCampaigns, listRecipients } from '#domain/campaigns/lists.ts'
import { audiencesOfScreen } from '#domain/campaigns/screens.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isLimited, visibleTo } from '#server/platform/access/row-scope.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { campaignsVisibleTo, getCampaignRow } from './visible-campaigns.ts'

const peopleIn = (...states: string[]) =>
  sql<number>`(SELECT count(*)::int FROM campaign_recipients r WHERE r.campaign_id = c.id
    AND r.state IN (${sql.join(states.map((state) => sql.lit(state)))}))`

const whenPlanned = (column: 'recipient_count' | 'reachable_count') =>
  sql<number | null>`CASE WHEN c.planned_at IS NOT NULL THEN ${sql.ref(`c.${column}`)} END`

export const serveCampaigns = (app: App, services: Services) =>
  serveList(app, services, listCampaigns, {
    from: () => services.db.selectFrom('campaigns as c'),
    scope: ({ actor }) => campaignsVisibleTo(actor),
    filters: {
      audience: 'c.audience',
      screen: (screen) => (eb) =>
        eb('c.audience', 'in', [...audiencesOfScreen[screen as keyof typeof audiencesOfScreen]]),
      state: 'c.state',
      purpose: 'c.purpose',
      q: (q) => contains('c.name', q),
    },
    rows: () =>
      services.db
        .selectFrom('campaigns as c')
        .leftJoin('accounts as a', 'a.id', 'c.createdBy')
        .select(['c.id', 'c.name', 'c.audience', 'c.purpose', 'c.state', 'c.startsAt', 'c.startedAt', 'c.endedAt'])
        .select(['c.createdAt', 'a.name as createdBy'])
        .select([whenPlanned('recipient_count').as('recipients'), whenPlanned('reachable_count').as('reachable')])
        .select([peopleIn('handed', 'accepted', 'delivered', 'read').as('sent'), peopleIn('failed').as('failed')])
        .select([peopleIn('uncertain').as('uncertain'), peopleIn('planned').as('waiting')]),
    sorts: {
      name: { by: sql`lower(c.name)`, type: 'text' },
      createdAt: { by: sql`c.created_at`, type: 'timestamptz' },
    },
    id: sql`c.id`,
  })

const isOwnApplicant = (actor: Actor) =>
  sql<boolean>`EXISTS (SELECT FROM registrations r WHERE r.id = x.registration_id AND ${visibleTo(actor)})`

/** Matches the name or, with `pendaftaran-edit`, the phone. */
function matchesSearch(actor: Actor, q: string) {
  const phones = actor.permissions.has('pendaftaran-edit') ? phonePartsOf(q) : []
  return phones.length > 0
    ? sql<boolean>`(${contains('x.name', q)} OR x.phone LIKE ANY(${phones.map((part) => `%${part}%`)}::text[]))`
    : contains('x.name', q)
}

/**
 * Serves a campaign's recipients. A role limited to some study programmes does not see recipients whose registration is
 * outside them now.
 */
export const serveRecipients = (app: App, services: Services) =>
  serveList(app, services, listRecipients, {
    from: () => services.db.selectFrom('campaignRecipients as x'),
    scope: async ({ actor, params }) => {
      const campaign = await getCampaignRow(services.db, actor, params.id)
      const ofCampaign = sql<boolean>`x.campaign_id = ${campaign.id}`
      return isLimited(actor) && campaign.audience === 'registrations'
        ? [ofCampaign, isOwnApplicant(actor)]
        : ofCampaign
    },
    filters: {
      state: 'x.state',
      channel: (channel) => sql<boolean>`x.channels[1] = ${channel}`,
      reason: 'x.reason',
      q: (q, { actor }) => matchesSearch(actor, q),
    },
    columns: (rows) =>
      rows
        .leftJoin('handovers as h', 'h.id', 'x.handoverId')
        .select(['x.number', 'x.name', 'x.language', 'x.phone', 'x.email', 'x.state', 'x.reason', 'x.detail'])
        .select(['x.attempts', 'x.dueAt', 'x.stateAt', 'x.registrationId', 'h.handedAt'])
        .select(sql<Channel | null>`x.channels[1]`.as('channel')),
    sorts: { number: { by: sql`x.number`, type: 'integer' } },
    id: sql`x.number`,
    idType: 'bigint',
    above: async ({ actor, params, language }) => ({
      label: sentences(language)('campaigns:column.name'),
      value: (await getCampaignRow(services.db, actor, params.id)).name,
    }),
  })
