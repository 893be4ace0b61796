import { describe, expect, test } from 'vitest'
import { colours } from '#domain/navigation/constants.ts'
import { patternOf, sampleNumber, templateProblem } from './number-templates.ts'
import { contrast, isUsableColour, paletteOf } from './palette.ts'
import { keysOf, settingsSectionNames } from './sections.ts'
import { settingsSections } from './settings.ts'

test('the sections hold exactly the settings in their schemas', () => {
  for (const section of settingsSectionNames)
    expect([...keysOf(section)].sort()).toEqual(Object.keys(settingsSections[section]).sort())
})

describe('number templates', () => {
  test.each([
    ['registrationNumber', '{YY}{wave}{SEQ:5}'],
    ['billNumber', 'INV-{YYYY}-{SEQ:6}'],
    ['receiptNumber', 'KW/{YY}/{SEQ:6}'],
    ['studentNumber', '{YY}{prodi}{SEQ:4}'],
  ] as const)('%s may be %s', (kind, template) => expect(templateProblem(kind, template)).toBeUndefined())

  test.each([
    ['an unknown token', 'billNumber', 'INV-{YYYY}-{wave}-{SEQ:6}', 'number_token_unknown'],
    ['a token in other letters', 'studentNumber', '{yy}{SEQ:4}', 'number_token_unknown'],
    ['no running number', 'studentNumber', '{YY}{prodi}', 'number_needs_sequence'],
    ['two running numbers', 'studentNumber', '{SEQ:4}{SEQ:4}', 'number_needs_sequence'],
    ['too few digits', 'studentNumber', '{YY}{SEQ:2}', 'number_needs_sequence'],
    ['no year where it counts by year', 'receiptNumber', 'KW-{SEQ:6}', 'number_needs_year'],
    ['a space', 'billNumber', 'INV {YYYY} {SEQ:6}', 'number_characters'],
    ['a brace left open', 'billNumber', '{YYYY}{{SEQ:6}', 'number_characters'],
    ['more than the column holds', 'registrationNumber', '{YYYY}-{wave}-{track}-{SEQ:7}', 'number_too_long'],
  ] as const)('refuses %s', (_what, kind, template, code) => expect(templateProblem(kind, template)?.code).toBe(code))

  test('the sample and the pattern match the numbers of a template', () => {
    expect(sampleNumber('{YY}{prodi}{SEQ:4}', 12)).toBe('26552010012')
    expect(new RegExp(patternOf('INV-{YYYY}-{SEQ:6}')).exec('INV-2026-000123')?.slice(1)).toEqual([
      'INV-2026-',
      '000123',
      '',
    ])
    expect(new RegExp(patternOf('{SEQ:3}/{YY}')).exec('0123/26')?.slice(1)).toEqual(['', '0123', '/26'])
  })
})

describe('colours', () => {
  test('black on white is 21 : 1, and the product’s own colour 2.9 : 1', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
    expect(contrast(colours.primary, '#FFFFFF')).toBeCloseTo(2.91, 1)
  })

  test.each(['#009EF7', '#003366', '#FFD500', '#E4002B', '#7A1FA2', '#00A651', '#FF8800', '#1B1464'])(
    'the shades of %s reach the contrasts',
    (hex) => {
      expect(isUsableColour(hex)).toBe(true)
      const { shades, buttons, onAside, onDark } = paletteOf(hex)
      expect(shades).toHaveLength(10)
      for (const shade of shades) expect(shade).toMatch(/^#[0-9A-F]{6}$/)
      expect(buttons).toBeGreaterThanOrEqual(4.5)
      expect(contrast(shades[8]!, '#FFFFFF')).toBeGreaterThan(4.5)
      expect(onAside).toBeGreaterThanOrEqual(3)
      expect(onDark).toBeGreaterThanOrEqual(4.5)
      // Text in shade 8 on the lightest tint, as in light buttons.
      expect(contrast(shades[8]!, shades[0]!)).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['#FFFFFF', '#FDFDF5', '#808080', '#000000', '#1E1E2D'])('%s is refused', (hex) =>
    expect(isUsableColour(hex)).toBe(false),
  )
})
