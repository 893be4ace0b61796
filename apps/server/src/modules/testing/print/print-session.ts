import type { Sheet } from '#domain/testing/sessions/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'
import { drawAttendance, drawMinutes } from './draw-lists.ts'
import { drawDoorSigns, drawLabels } from './draw-signs.ts'
import { type SheetContents, sheetContents } from './sheet-contents.ts'

type Options = { sheet: Sheet; roomId?: string | undefined; language: Language }

const drawings: Record<Sheet, (services: Services, contents: SheetContents) => Promise<Buffer>> = {
  attendance: (_, contents) => drawAttendance(contents),
  door: (_, contents) => drawDoorSigns(contents),
  labels: drawLabels,
  minutes: (_, contents) => drawMinutes(contents),
}

/**
 * Draws one of the papers of a session, for all rooms or one. Papers with names or photos are recorded in the audit
 * log.
 */
export async function printSession(services: Services, actor: Actor, id: string, { sheet, ...options }: Options) {
  const contents = await sheetContents(services, actor, id, options)
  if (sheet === 'attendance' || sheet === 'labels')
    await recordAudit(services.db, actor, { action: 'test-session.print', on: { 'jadwal-test': id }, after: { sheet } })
  return { name: `${sheet}-${contents.session.date}`, bytes: await drawings[sheet](services, contents) }
}
