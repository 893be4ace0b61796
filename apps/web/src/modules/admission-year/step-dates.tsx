import { Group, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sameWeekdayNextYear } from '#domain/admission-year/dates.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { PlannedRows } from './planned-rows.tsx'
import type { YearWizard } from './use-year-wizard.ts'

const sameDay = 365

/** Sets the number of days all dates move, and shows each wave's dates. */
export function StepDates({ wizard }: { wizard: YearWizard }) {
  const { t } = useTranslation('admission-year')
  const { plan, yearPreview } = wizard
  const preset = plan.shiftDays === sameWeekdayNextYear ? 'weekday' : plan.shiftDays === sameDay ? 'date' : 'other'
  const [other, setOther] = useState(preset === 'other')
  const waves = yearPreview?.sections.find(({ key }) => key === 'waves')
  return (
    <Stack>
      <Card title={t('dates.title')}>
        <Stack gap="sm">
          <Radio.Group
            aria-label={t('dates.title')}
            value={other ? 'other' : preset}
            onChange={(value) => {
              setOther(value === 'other')
              if (value === 'weekday') wizard.change({ shiftDays: sameWeekdayNextYear })
              if (value === 'date') wizard.change({ shiftDays: sameDay })
            }}
          >
            <Group gap="12px 24px">
              {(['weekday', 'date', 'other'] as const).map((value) => (
                <Radio key={value} size="sm" value={value} label={t(`dates.${value}`)} />
              ))}
            </Group>
          </Radio.Group>
          {other && (
            <NumberInput
              size="sm"
              maw={240}
              label={t('dates.days')}
              value={plan.shiftDays}
              onChange={(days) => wizard.change({ shiftDays: Math.round(Number(days)) || 0 })}
              min={-3_700}
              max={3_700}
              allowDecimal={false}
              {...wizard.form.field('shiftDays')}
            />
          )}
          <Text size="sm" c="dimmed">
            {t('dates.text')}
          </Text>
        </Stack>
      </Card>
      <Card title={t('dates.waves')}>
        {waves ? <PlannedRows section={waves} wizard={wizard} /> : <LoadingRows rows={4} />}
      </Card>
    </Stack>
  )
}
