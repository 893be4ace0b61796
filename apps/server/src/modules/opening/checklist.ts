import { universityCalendar } from '#domain/calendar.ts'
import { type ChecklistLine, checklistLineNames, checklistLines } from '#domain/opening/checklist.ts'
import { type Line, type Opening, shownGaps } from '#domain/opening/endpoints.ts'
import { pendingChangesOf } from '#server/modules/payments/approvals/pending-changes.ts'
import { allBanks } from '#server/modules/payments/providers/index.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { enoughFor, gapsOf, type Situation } from './find-gaps.ts'
import { readFacts } from './read-facts.ts'

/** Whether registration is open, with the current checklist. */
export async function showOpening(services: Services, db: Db): Promise<Opening> {
  const now = services.clock.now()
  const settings = await getSettings(db)
  const facts = await readFacts(db, now, universityCalendar().dayOf(now))
  const waivers = await readWaivers(db)
  const situation = { facts, settings, config: services.config, bank: await readBank(services, db) }
  return {
    ...(await readState(db)),
    lines: checklistLineNames.map((line): Line => {
      const gaps = gapsOf[line](situation)
      const waiver = waivers.get(line) ?? null
      return {
        line,
        state: stateOf(line, gaps.length, waiver, enoughFor[line]?.(situation) ?? false),
        gaps: gaps.slice(0, shownGaps),
        gapCount: gaps.length,
        waiver,
      }
    }),
  }
}

async function readBank(services: Services, db: Db): Promise<Situation['bank']> {
  const offering = (await allBanks(services, db)).filter(({ offered }) => offered)
  if (offering.length > 0) return offering.every(({ provider }) => provider.trial) ? 'trial' : 'connected'
  return (await pendingChangesOf(db, 'provider_connection')).length > 0 ? 'waiting' : 'none'
}

function stateOf(line: ChecklistLine, gapCount: number, waiver: Line['waiver'], isEnough: boolean): Line['state'] {
  if (gapCount === 0) return 'done'
  if (checklistLines[line] === 'must') return isEnough ? 'advisable' : 'missing'
  return waiver ? 'waived' : 'advisable'
}

async function readState(db: Db): Promise<Omit<Opening, 'lines'>> {
  const row = await db
    .selectFrom('registrationOpening as o')
    .leftJoin('accounts as opener', 'opener.id', 'o.openedBy')
    .leftJoin('accounts as closer', 'closer.id', 'o.closedBy')
    .select(['o.openedAt', 'opener.name as openedBy', 'o.closedAt', 'closer.name as closedBy', 'o.closedReason'])
    .executeTakeFirst()
  return {
    open: row !== undefined && row.closedAt === null,
    opened: row ? { at: row.openedAt.toISOString(), by: row.openedBy } : null,
    closed: row?.closedAt
      ? { at: row.closedAt.toISOString(), by: row.closedBy ?? '', reason: row.closedReason ?? '' }
      : null,
  }
}

async function readWaivers(db: Db) {
  const rows = await db
    .selectFrom('openingWaivers as w')
    .innerJoin('accounts as a', 'a.id', 'w.waivedBy')
    .select(['w.line', 'w.reason', 'w.waivedAt', 'a.name'])
    .execute()
  return new Map(
    rows.map(({ line, reason, waivedAt, name }) => [line, { reason, at: waivedAt.toISOString(), by: name }]),
  )
}
