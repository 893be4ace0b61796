import { expect, test } from 'vitest'
import { bindingsOf } from './use-values.ts'

type Values = { name: string; amount: number | null; active: boolean; team: 'desk' | 'bank' | null; days: string[] }
const values: Values = { name: 'Ayu', amount: null, active: false, team: null, days: [] }

function bound() {
  const changes: Partial<Values>[] = []
  const set = (change: Partial<Values>) => void changes.push(change)
  return { changes, ...bindingsOf(values, set, (name) => ({ error: `${name} is wrong` })) }
}

test('a control gets its value and what the form knows about its field', () => {
  const { text, number, box } = bound()
  expect(text('name')).toMatchObject({ value: 'Ayu', error: 'name is wrong' })
  expect(number('amount')).toMatchObject({ value: '', error: 'amount is wrong' })
  expect(box('active')).toMatchObject({ checked: false, error: 'active is wrong' })
})

test('each kind of control changes its value and no other', () => {
  const { changes, text, number, box, value } = bound()
  text('name').onChange({ currentTarget: { value: 'Budi' } })
  number('amount').onChange('12')
  box('active').onChange({ currentTarget: { checked: true } })
  value('days').onChange(['2026-08-01'])
  expect(changes).toEqual([{ name: 'Budi' }, { amount: 12 }, { active: true }, { days: ['2026-08-01'] }])
})

test('an emptied number is null, not 0', () => {
  const { changes, number } = bound()
  number('amount').onChange('')
  expect(changes).toEqual([{ amount: null }])
})

test('a choice can be made but not cleared', () => {
  const { changes, choice } = bound()
  choice('team').onChange(null)
  choice('team').onChange('desk')
  expect(changes).toEqual([{ team: 'desk' }])
})
