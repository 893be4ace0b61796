import type { TestApp } from '#server-test/test-app.ts'

/** A report that an account has sent by mail every Monday; returns the id of the scheduled mail. */
export async function aReportMail({ db }: TestApp, ownerId: string, name: string): Promise<string> {
  const monday = new Date(Date.UTC(2026, 0, 5))
  const { id } = await db
    .insertInto('reportMails')
    .values({
      ...{ ownerId, name, report: 'total-pendaftaran', question: '', columns: [] },
      ...{ rhythm: 'weekly', weekday: 1, hour: 7, format: 'xlsx', skipsEmpty: false },
      ...{ nextDueAt: monday, createdAt: monday, updatedAt: monday },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('reportMailRecipients').values({ mailId: id, accountId: ownerId }).execute()
  return id
}
