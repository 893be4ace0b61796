import { expect, test } from 'vitest'
import { limitPlaces } from './places.ts'

test('one account can fill its own places, several accounts all places', () => {
  const take = limitPlaces({ whole: 3, perAccount: 2 })
  const free = take('sari')
  take('sari')
  expect(() => take('sari')).toThrow('too_many_requests')
  take('budi')
  expect(() => take('dewi')).toThrow('too_many_requests')
  free()
  free()
  take('dewi')
  expect(() => take('budi')).toThrow('too_many_requests')
})
