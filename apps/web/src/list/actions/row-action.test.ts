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

test('an action that needs a permission is offered only to its holders', () => {
  expect(permitted(actions, () => false)).toEqual([read])
  expect(permitted(actions, (permission) => permission === 'rows-update')).toEqual(actions)
})

test('a row gets the actions that apply to it; refused ones stay, with the reason', () => {
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

test('an action is refused for many rows only if it is refused for each', () => {
  expect(reasonAgainst(close, [ownOpen, open])).toBeNull()
  expect(reasonAgainst(close, [ownOpen, ownOpen])).toBe('Not your own')
  expect(reasonAgainst(read, [ownOpen])).toBeNull()
})
