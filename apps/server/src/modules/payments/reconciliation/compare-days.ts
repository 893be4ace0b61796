import { shiftDay } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { dayTolerance } from '#domain/payments/reconciliation/reconciliation.ts'
import { askBank } from '#server/modules/payments/banks/ask-bank.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { getAccount, lockAccount, type OwnAccount } from './account-queue.ts'
import { matchNewLines } from './lines/match-lines.ts'
import { reconcileDays } from './reconcile-day.ts'
import { namesIn } from './statements/statement-values.ts'

/** Most numbers a bank is asked about for one day, so that the nightly run ends in time. */
const mostQuestions = 200

/** Asks the provider about numbers on the statement without a payment, and books payments it reports. */
async function askAboutMissing(services: Services, account: OwnAccount, day: string) {
  const lines = await services.db
    .selectFrom('statementLines')
    .select(['reference', 'description', 'raw'])
    .where('bankAccountId', '=', account.id)
    .where('state', '=', 'new')
    .where('amountSen', '>', 0)
    .where('day', '>=', shiftDay(day, -dayTolerance))
    .where('day', '<=', shiftDay(day, dayTolerance))
    .limit(mostQuestions * 5)
    .execute()
  const numbers = [...new Set(lines.flatMap((line) => namesIn(line.reference, line.description, line.raw).numbers))]
  if (numbers.length === 0 || account.sources.length === 0) return
  const accounts = await services.db
    .selectFrom('virtualAccounts')
    .selectAll()
    .where('number', 'in', numbers)
    .where('bank', 'in', account.sources)
    .limit(mostQuestions)
    .execute()
  for (const one of accounts) {
    try {
      await askBank(services, one, { apart: true })
    } catch (error) {
      services.log.warn({ err: error, number: one.number }, 'the bank did not say what it received')
    }
  }
}

const compare = (services: Services, actor: Actor | null, id: string, days: readonly string[]) =>
  inTransaction(services, actor ?? systemActor, async (context) => {
    const { tx } = context
    const account = await lockAccount(services, tx, id)
    const [from, to] = [shiftDay(days[0]!, -dayTolerance), shiftDay(days.at(-1)!, dayTolerance)]
    await matchNewLines(context, account, { from, to })
    const ids = await reconcileDays(context, null, account, days)
    if (actor)
      await recordAudit(tx, actor, {
        action: 'reconciliation.compute',
        on: { reconciliation: theOnly(ids) },
        after: { days },
      })
    return ids
  })

/** Compares one day, after asking the provider about missing payments. */
export async function compareDay(services: Services, actor: Actor | null, bankAccountId: string, day: string) {
  await askAboutMissing(services, await getAccount(services, services.db, bankAccountId), day)
  return { id: theOnly(await compare(services, actor, bankAccountId, [day])) }
}

/** Compares days one month at a time, so that other requests wait only briefly for the account's lock. */
export async function compareDays(services: Services, bankAccountId: string, days: readonly string[]) {
  for (let at = 0; at < days.length; at += 31) await compare(services, null, bankAccountId, days.slice(at, at + 31))
}
