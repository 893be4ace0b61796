import { sql } from 'kysely'
import type { z } from 'zod'
import { type Channel, channels, previewedPeople } from '#domain/campaigns/campaigns.ts'
import type { CampaignDraft, previewCampaign as previewEndpoint } from '#domain/campaigns/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { peopleOf } from '#server/modules/campaigns/audiences/people-of.ts'
import { optOutPage } from '#server/modules/campaigns/opt-out-token.ts'
import { getCampaignRow, requireAudience } from '#server/modules/campaigns/visible-campaigns.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { withMoreMemory } from '#server/platform/database/more-memory.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { messagesFor, missingFor } from './example-messages.ts'
import { findConnection, judge, namesOf, type Plan } from './judge.ts'
import { forecastFor } from './paces.ts'
import { planOf } from './plan-of.ts'

type CampaignPreview = z.input<typeof previewEndpoint.response>['data']

type Example = {
  why: CampaignPreview['examples'][number]['why']
  number: number
  name: string
  language: Language
  values: Record<string, unknown>
  channels: Channel[]
  reason: string | null
}

type Counts = {
  people: number
  outsideWindow: number
  peopleOfDomain: number
  skipped: { reason: string; people: number }[]
  /** Reachable people by first channel and time zone. */
  reachable: { channel: Channel; timeZone: string; people: number }[]
  examples: Example[]
}

type Question = Omit<CampaignDraft, 'name'>
type PreviewQuestion = Question & { parentId: string | null }

/** Counts reachable and skipped people as planning does, but writes nothing. */
export async function judgeAudience(services: Services, actor: Actor, question: Question, plan: Plan): Promise<Counts> {
  const { db, clock } = services
  const people = await peopleOf(services, actor, question, namesOf(plan))
  const judged = await judge(db, plan, people, clock.now())
  const example = (why: Example['why'], rest: ReturnType<typeof sql>) =>
    sql`(SELECT ${why}::text AS why, number, name, language, values, channels, reason FROM judged WHERE ${rest})`
  const counted = sql<Counts>`
    WITH judged AS MATERIALIZED (${judged}),
      first AS (SELECT number, language FROM judged WHERE reason IS NULL ORDER BY number LIMIT 1),
      examples AS (
        ${example('first', sql`number = (SELECT number FROM first)`)}
        UNION ALL ${example('longest_name', sql`reason IS NULL ORDER BY length(name) DESC, number LIMIT 1`)}
        UNION ALL ${example('value_missing', sql`reason = 'value_missing' ORDER BY number LIMIT 1`)}
        UNION ALL ${example('other_language', sql`reason IS NULL AND language <> (SELECT language FROM first) ORDER BY number LIMIT 1`)}
        UNION ALL ${example('any', sql`reason IS NULL ORDER BY number DESC LIMIT ${sql.lit(previewedPeople)}`)})
    SELECT (SELECT count(*)::int FROM judged) AS people,
      (SELECT count(*)::int FROM judged WHERE out_of_window AND (reason IS NULL OR reason = 'window_closed'))
        AS outside_window,
      (SELECT coalesce(max(n), 0)::int FROM (SELECT count(*) AS n FROM judged
        WHERE reason IS NULL AND channels[1] = 'email' GROUP BY split_part(email, '@', 2)) d) AS people_of_domain,
      (SELECT coalesce(json_agg(json_build_object('reason', reason, 'people', n) ORDER BY n DESC, reason), '[]')
        FROM (SELECT reason, count(*)::int AS n FROM judged WHERE reason IS NOT NULL GROUP BY reason) r) AS skipped,
      (SELECT coalesce(json_agg(json_build_object('channel', channel, 'timeZone', time_zone, 'people', n)), '[]')
        FROM (SELECT channels[1] AS channel, time_zone, count(*)::int AS n FROM judged WHERE reason IS NULL
          GROUP BY channels[1], time_zone) c) AS reachable,
      (SELECT coalesce(json_agg(examples), '[]') FROM examples) AS examples`
  const { rows } = await withMoreMemory(db, (tx) => counted.execute(tx))
  return theOnly(rows)
}

/** People by first channel, largest group first. */
const byChannelOf = (reachable: Counts['reachable']) =>
  channels
    .map((channel) => ({
      channel,
      people: reachable.reduce((sum, group) => sum + (group.channel === channel ? group.people : 0), 0),
    }))
    .filter(({ people }) => people > 0)
    .toSorted((a, b) => b.people - a.people)

/** Counts the people a campaign would reach now. Adds example messages for up to `previewedPeople` people. */
export async function previewCampaign(
  services: Services,
  actor: Actor,
  viewerLanguage: Language,
  question: PreviewQuestion,
): Promise<CampaignPreview> {
  const { db, clock } = services
  requireAudience(actor, question.audience)
  if (question.parentId) await getCampaignRow(db, actor, question.parentId)
  const plan = await planOf(db, actor, question, question.parentId)
  const settings = await getSettings(db)
  const counts = await judgeAudience(services, actor, question, plan)
  const isCloud = (await findConnection(db))?.isCloud ?? false
  // A link with a signed token would let the user who reads the preview opt the recipient out.
  const linkOf = () => optOutPage(services, '…')
  const now = clock.now()
  const reachable = counts.reachable.reduce((sum, { people }) => sum + people, 0)
  const forecast = await forecastFor(
    db,
    { waiting: counts.reachable.map((group) => ({ ...group, dueAt: now })), peopleOfDomain: counts.peopleOfDomain },
    { startsAt: now, ignoresQuietHours: question.ignoresQuietHours, now },
  )
  const examples = counts.examples
    .filter(({ number }, index, all) => all.findIndex((other) => other.number === number) === index)
    .slice(0, previewedPeople)
  return {
    people: counts.people,
    reachable,
    skipped: counts.skipped,
    byChannel: byChannelOf(counts.reachable),
    examples: examples.map(({ why, name, language, values, channels, reason }) => ({
      why,
      name,
      language,
      skipReason: reason,
      channels,
      messages: messagesFor(plan, { name, language, values }, channels, { settings, isCloud, linkOf, viewerLanguage }),
      missing: missingFor(plan, { name, language, values }),
    })),
    forecast,
    needsSecondPerson: reachable > settings.secondPersonAbove,
    secondPersonAbove: settings.secondPersonAbove,
    outsideWindow: isCloud ? counts.outsideWindow : null,
  }
}
