import { Stack, Text } from '@mantine/core'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { type PricedSection, pricedSections, sectionRules } from '#domain/admission-year/sections.ts'
import { type Adjustment, noAdjustment } from '#domain/fees/amounts.ts'
import { getEntity } from '#entities/index.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { PlannedRows } from './planned-rows.tsx'
import type { YearWizard } from './use-year-wizard.ts'

type Props = {
  wizard: YearWizard
  /** Inputs for a percentage and its rounding; the fees module supplies them. */
  Inputs: ComponentType<{ value: Adjustment; onChange: (value: Adjustment) => void; field: Checks['field'] }>
}

/** Sets the change for each kind of price, and shows every old amount beside its new one. */
export function StepPrices({ wizard, Inputs }: Props) {
  const { t } = useTranslation('admission-year')
  const { say } = useEntityWords()
  const { plan, yearPreview } = wizard
  const sections = pricedSections.flatMap((key) => {
    const section = yearPreview?.sections.find((candidate) => candidate.key === key)
    return section?.chosen && section.rows.length > 0 ? [section] : []
  })
  if (sections.length === 0) return <EmptyState title={t('prices.none')} />
  return (
    <Stack>
      {sections.map((section) => {
        const key = section.key as PricedSection
        return (
          <Card key={key} title={say(getEntity(sectionRules[key].entity).label.many)} count={section.count}>
            <Inputs
              value={plan.prices[key] ?? noAdjustment}
              onChange={(adjustment) => wizard.change({ prices: { ...plan.prices, [key]: adjustment } })}
              field={(name) => wizard.form.field(`prices.${key}.${name}`)}
            />
            <Text size="sm" c="dimmed" mt="sm">
              {t(key === 'tuition' ? 'prices.tuition' : 'prices.text')}
            </Text>
            <PlannedRows section={section} wizard={wizard} />
          </Card>
        )
      })}
    </Stack>
  )
}
