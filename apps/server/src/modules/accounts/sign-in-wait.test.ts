import { expect, test } from 'vitest'
import { signInWaitSeconds } from './sign-in-wait.ts'

test.each([
  [0, 0],
  [4, 0],
  [5, 30],
  [6, 60],
  [7, 120],
  [10, 960],
  [11, 1800],
  [1000, 1800],
])('after %i failed sign-ins the wait is %i s', (failures, seconds) =>
  expect(signInWaitSeconds(failures)).toBe(seconds),
)
