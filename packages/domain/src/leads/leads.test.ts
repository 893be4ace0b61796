import { expect, test } from 'vitest'
import { actionsFrom, callEffects, isOpen, leadStages, leadTransitions, whatsappAddress } from './leads.ts'

test('every stage can be left and reached, and a declined lead is not called', () => {
  const transitions = Object.values(leadTransitions)
  for (const stage of leadStages) {
    expect(transitions.some(({ from }) => (from as readonly string[]).includes(stage))).toBe(true)
    expect(transitions.some(({ to }) => to === stage)).toBe(true)
    expect(actionsFrom(stage)).not.toEqual([])
  }
  expect(isOpen('not_interested')).toBe(false)
  expect(actionsFrom('not_interested')).toEqual(['register', 'reopen'])
  expect(callEffects.declined).toEqual({ action: 'decline', againInDays: null })
})

test('a WhatsApp URL contains only digits and the encoded text', () => {
  expect(whatsappAddress('+62 812-3', 'Halo & apa?')).toBe('https://wa.me/628123?text=Halo%20%26%20apa%3F')
})
