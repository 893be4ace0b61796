import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type PricedSection, pricedSections, sectionRules } from '#domain/admission-year/sections.ts'
import { type Adjustment, noAdjustment } from '#domain/fees/amounts.ts'
import { getEntity } from '#entities/index.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { PlannedRows } from './planned-rows.tsx'
import type { YearWizard } from './use-year-wizard.ts'

type Props = {
  wizard: YearWizard
  /** Input for a percentage and its rounding; the fees module supplies it. */
  adjust: (section: PricedSection, value: Adjustment, onChange: (value: Adjustment) => void) => ReactNode
}

/** Sets the change for each kind of price, and shows every old amount beside its new one. */
export function StepPrices({ wizard, adjust }: Props) {
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
            {adjust(key, plan.prices[key] ?? noAdjustment, (next) =>
              wizard.change({ prices: { ...plan.prices, [key]: next } }),
            )}
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
