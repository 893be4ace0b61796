import type { TestApp } from './test-app.ts'

/** Status and error code of an answer, such as `[409, 'stale_version']`. */
export const codeOf = (answer: { statusCode: number; json(): any }) => [answer.statusCode, answer.json().code]

/** Readers of stored rows by id. Each read calls `app`, because tests start the application in `beforeAll`. */
export const readersOf = (app: () => Pick<TestApp, 'db'>) => ({
  billOf: (id: string) => app().db.selectFrom('bills').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  paymentOf: (id: string) => app().db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  requestOf: (id: string) =>
    app().db.selectFrom('approvalRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  virtualAccountOf: (id: string) =>
    app().db.selectFrom('virtualAccounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  registrationOf: (id: string) =>
    app().db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  accountOf: (id: string) => app().db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  /** Amounts and status of a bill so far. */
  paidStateOf: (id: string) =>
    app().db.selectFrom('bills').select(['status', 'paid']).where('id', '=', id).executeTakeFirstOrThrow(),
  /** Payments on a transfer number, oldest first. */
  paymentsOn: (number: string) =>
    app()
      .db.selectFrom('payments')
      .selectAll()
      .where('virtualAccountNumber', '=', number)
      .orderBy('receivedAt')
      .execute(),
})
