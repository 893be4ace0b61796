import { expect, it } from 'vitest'
import { fc } from '#testing/properties.ts'
import { dividePlaces } from './divide-places.ts'

it('gives the places left by rounding to the largest remainders, earlier parts before later ones', () => {
  expect(dividePlaces(10, [33, 33, 34])).toEqual([3, 3, 4])
  expect(dividePlaces(1, [50, 50])).toEqual([1, 0])
  expect(dividePlaces(7, [60, 30])).toEqual([4, 2])
  expect(dividePlaces(0, [60, 40])).toEqual([0, 0])
})

it('uses every place for shares of 100 percent, never more, and differs from the share by less than one place', () => {
  const shares = fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.nat({ max: 5000 }), shares, (places, weights) => {
      const whole = weights.reduce((sum, weight) => sum + weight, 0)
      fc.pre(whole <= 100)
      const parts = dividePlaces(places, weights)
      const sum = parts.reduce((total, part) => total + part, 0)
      expect(sum).toBe(Math.floor((places * whole) / 100))
      for (const [index, part] of parts.entries())
        expect(Math.abs(part - (places * weights[index]!) / 100)).toBeLessThan(1)
    }),
  )
})
