import { describe, expect, it } from 'vitest'
import type { Db, OpenTx, Tx } from './database.ts'

/** Only checked by the compiler, never run. */
export const typedQueries = (db: Db, tx: Tx) => {
  const named = db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('bills as b', (join) => join.onRef('b.registrationId', '=', 'r.id').on('b.status', '<>', 'cancelled'))
    .select(['r.code', 'a.fullName', 'b.number'])
  const row = named.executeTakeFirstOrThrow()
  const code: Promise<string> = row.then((found) => found.code)
  // @ts-expect-error the bill of a left join may be missing
  const number: Promise<string> = row.then((found) => found.number)
  // @ts-expect-error a column that was not selected
  const unselected = row.then((found) => found.status)
  return [
    code,
    number,
    unselected,
    // @ts-expect-error no such table
    db.selectFrom('nothing'),
    // @ts-expect-error no such table to join
    named.innerJoin('nothing as n', 'n.id', 'r.id'),
    // @ts-expect-error no such column to join on
    named.innerJoin('accounts as p', 'p.nothing', 'r.code'),
    // @ts-expect-error no such column on the joined table
    named.leftJoin('accounts as o', (join) => join.onRef('o.nothing', '=', 'r.id')),
    // @ts-expect-error no such column
    named.where('r.nothing', '=', 'x'),
    // @ts-expect-error a text is no number
    named.where('b.total', '=', 'much'),
    // @ts-expect-error a status that no bill has
    named.where('b.status', '=', 'nothing'),
    // @ts-expect-error a list with a status that no bill has
    named.where('b.status', 'in', ['paid', 'nothing']),
    // @ts-expect-error no such column in an expression
    named.where((eb) => eb('r.nothing', '=', 'x')),
    // @ts-expect-error a text is no number in an expression
    named.where((eb) => eb('b.total', '>', 'much')),
    // @ts-expect-error no such operator
    named.where((eb) => eb('b.total', 'above', 1)),
    // @ts-expect-error a status that no bill has, in a join
    named.innerJoin('bills as n', (join) => join.on('n.status', '=', 'nothing')),
    // @ts-expect-error no such column of a table without an alias
    db.selectFrom('bills').where('nothing', '=', 'x'),
    // @ts-expect-error no such column to join a table without an alias on
    db.selectFrom('bills').innerJoin('registrations', 'registrations.nothing', 'bills.registrationId'),
    // @ts-expect-error no such table to join without an alias
    db.selectFrom('bills').innerJoin('nothing', 'nothing.id', 'bills.registrationId'),
    // @ts-expect-error a text is no number in an update
    db.updateTable('bills').set({ total: 1 }).where('total', '=', 'much'),
    // @ts-expect-error a text is no number in a deletion
    db.deleteFrom('bills').where('total', '=', 'much'),
    // @ts-expect-error no such column to select
    named.select('a.nothing'),
    // @ts-expect-error no such column to set
    db.updateTable('accounts').set({ nothing: 1 }),
    // @ts-expect-error a column without its value
    db.insertInto('accountVisits').values({}),
    // @ts-expect-error a transaction begins no other
    tx.transaction().execute(async () => {}),
  ]
}

/** A savepoint can be released only while it is open. */
export const typedSavepoints = async (tx: OpenTx) => {
  const withSavepoint = await tx.savepoint('batch').execute()
  // @ts-expect-error no such savepoint
  withSavepoint.rollbackToSavepoint('other')
  const afterRelease = await withSavepoint.releaseSavepoint('batch').execute()
  // @ts-expect-error the savepoint is released
  afterRelease.rollbackToSavepoint('batch')
}

describe('types of queries', () => {
  it('refuse unknown tables, columns and values at compile time', () => {
    expect(typedQueries).toBeTypeOf('function')
  })
})
