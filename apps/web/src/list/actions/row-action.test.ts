import { expect, test } from 'vitest'
import { actionsOn, permitted, type RowAction, reasonAgainst } from './row-action.ts'

type Row = { status: 'open' | 'closed'; own: boolean }
const open: Row = { status: 'open', own: false }
const ownOpen: Row = { status: 'open', own: true }
const closed: Row = { status: 'closed', own: false }

const close: RowAction<Row> = {
  key: 'close',
  label: 'Close',
  right: 'rows-update',
  suits: ({ status }) => status === 'open',
  refusal: ({ own }) => (own ? 'Not your own' : null),
}
const read: RowAction<Row> = { key: 'read', label: 'Read' }
const actions = [close, read]
const offersFor = (row: Row) => actionsOn(actions, row).map(({ action: { key }, reason }) => [key, reason])

test('an action with a right is offered only to those who have it', () => {
  expect(permitted(actions, () => false)).toEqual([read])
  expect(permitted(actions, (permission) => permission === 'rows-update')).toEqual(actions)
})

test('a row is offered what has a meaning for it; what is refused stays, with its reason', () => {
  expect(offersFor(open)).toEqual([
    ['close', null],
    ['read', null],
  ])
  expect(offersFor(ownOpen)).toEqual([
    ['close', 'Not your own'],
    ['read', null],
  ])
  expect(offersFor(closed)).toEqual([['read', null]])
})

test('many rows are refused only where each of them is', () => {
  expect(reasonAgainst(close, [ownOpen, open])).toBeNull()
  expect(reasonAgainst(close, [ownOpen, ownOpen])).toBe('Not your own')
  expect(reasonAgainst(read, [ownOpen])).toBeNull()
})
