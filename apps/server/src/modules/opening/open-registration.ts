import { type ChecklistLine, checklistLines } from '#domain/opening/checklist.ts'
import type { Opening } from '#domain/opening/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { showOpening } from './checklist.ts'

/**
 * Opens registration; throws 409 `opening_not_ready` while a required line is missing. A second request waits for the
 * row lock and returns the open state.
 */
export const openRegistration = (services: Services, actor: Actor, language: Language): Promise<Opening> =>
  services.db.transaction().execute(async (tx) => {
    const opened = { openedAt: services.clock.now(), openedBy: actor.accountId }
    const newlyOpened = await tx
      .insertInto('registrationOpening')
      .values(opened)
      .onConflict((conflicting) =>
        conflicting
          .column('one')
          .doUpdateSet({ ...opened, closedAt: null, closedBy: null, closedReason: null })
          .where('registrationOpening.closedAt', 'is not', null),
      )
      .returning('openedAt')
      .executeTakeFirst()
    const opening = await showOpening(services, tx)
    if (!newlyOpened) return opening
    const missing = opening.lines.filter(({ state }) => state === 'missing')
    if (missing.length > 0) {
      const t = sentences(language)
      throw conflict('opening_not_ready', {
        lines: missing.map(({ line }) => t(`opening:lines.${line}.title`)).join(', '),
      })
    }
    await recordAudit(tx, actor, {
      action: 'opening.open',
      on: { opening: 'registration' },
      after: { waived: opening.lines.filter(({ state }) => state === 'waived').map(({ line }) => line) },
    })
    return opening
  })

/** Closes registration with a reason; a second closing keeps the first reason. */
export const closeRegistration = (services: Services, actor: Actor, reason: string): Promise<Opening> =>
  services.db.transaction().execute(async (tx) => {
    const closed = await tx
      .updateTable('registrationOpening')
      .set({ closedAt: services.clock.now(), closedBy: actor.accountId, closedReason: reason })
      .where('closedAt', 'is', null)
      .returning('openedAt')
      .executeTakeFirst()
    if (closed) await recordAudit(tx, actor, { action: 'opening.close', on: { opening: 'registration' }, reason })
    return showOpening(services, tx)
  })

/** Stores who waived an advisable line and why; a later reason replaces an earlier one. */
export const waiveLine = (services: Services, actor: Actor, line: ChecklistLine, reason: string): Promise<Opening> =>
  services.db.transaction().execute(async (tx) => {
    if (checklistLines[line] === 'must') throw conflict('line_not_waivable')
    const waiver = { reason, waivedAt: services.clock.now(), waivedBy: actor.accountId }
    await tx
      .insertInto('openingWaivers')
      .values({ line, ...waiver })
      .onConflict((conflicting) => conflicting.column('line').doUpdateSet(waiver))
      .execute()
    await recordAudit(tx, actor, { action: 'opening.waive', on: { opening: line }, reason })
    return showOpening(services, tx)
  })

/** Withdraws a waiver. */
export const unwaiveLine = (services: Services, actor: Actor, line: ChecklistLine): Promise<Opening> =>
  services.db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('openingWaivers')
      .where('line', '=', line)
      .returning('reason')
      .executeTakeFirst()
    if (removed) await recordAudit(tx, actor, { action: 'opening.unwaive', on: { opening: line }, before: removed })
    return showOpening(services, tx)
  })
