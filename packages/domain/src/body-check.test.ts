import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkBody } from './body-check.ts'

const limitsEndpoint = {
  body: z.strictObject({ limits: z.array(z.strictObject({ role: z.string(), most: z.int() })) }),
  rules: ({ limits = [] }: { limits?: { role?: string }[] }) =>
    Object.fromEntries(
      limits.flatMap(({ role }, index) => (role === 'nobody' ? [[`limits.${index}.role`, 'not_found' as const]] : [])),
    ),
}

it('an unreadable item of a list keeps its index for the rules', () => {
  const { issues, problems } = checkBody(
    limitsEndpoint,
    { limits: [null, 3, { role: 'nobody', most: 'much' }] },
    new Date(0),
  )
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['limits.0', 'limits.1', 'limits.2.most'])
  expect(problems).toEqual({ 'limits.2.role': 'not_found' })
})
