import { Button, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '#entities/define/language.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { browserLanguage, setLanguage, useLanguage } from '#web/shell/language.ts'
import { changeLayout, densities, useLayoutSettings, usualLayout } from '#web/shell/layout-settings.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { sampleLists, useSampleRows } from './sample-rows.ts'

const asides = ['wide', 'minimized'] as const
const themes = ['light', 'dark', 'auto'] as const

/** Layout settings, applied to the whole frame at once and stored on the device. */
export default function BuilderPage() {
  const { t } = useTranslation('samples')
  const { asideMinimized, density } = useLayoutSettings()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useLanguage()
  const rows = useSampleRows('customers')
  const reset = () => {
    changeLayout(usualLayout)
    setColorScheme('auto')
    void setLanguage(browserLanguage() ?? 'en')
  }
  return (
    <GuidePage description={t('builder.intro')}>
      <Card
        title={t('builder.title')}
        actions={<Button variant="default" onClick={reset} children={t('builder.reset')} />}
      >
        <Stack maw={480}>
          <Choice label={t('builder.aside.label')} help={t('builder.aside.help')}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={asideMinimized ? 'minimized' : 'wide'}
                onChange={(value) => changeLayout({ asideMinimized: value === 'minimized' })}
                data={asides.map((value) => ({ value, label: t(`builder.aside.${value}`) }))}
              />
            )}
          </Choice>
          <Choice label={t('common:theme.label')}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={colorScheme}
                onChange={setColorScheme}
                data={themes.map((value) => ({
                  value,
                  label: t(`common:theme.${value === 'auto' ? 'system' : value}`),
                }))}
              />
            )}
          </Choice>
          <Choice label={t('builder.density.label')} help={t('builder.density.help')}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={density}
                onChange={(value) => changeLayout({ density: value })}
                data={densities.map((value) => ({ value, label: t(`builder.density.${value}`) }))}
              />
            )}
          </Choice>
          <Choice label={t('common:language.label')}>
            {(labelId) => (
              <SegmentedControl
                aria-labelledby={labelId}
                value={language}
                onChange={(value) => void setLanguage(value)}
                data={languages.map((value) => ({ value, label: t(`common:language.${value}`) }))}
              />
            )}
          </Choice>
        </Stack>
      </Card>
      <Sample code="<ListCard>" file="list/list-card.tsx" when={t('when.listCard')}>
        <ListCard
          list={sampleLists.customers}
          prefix="s_"
          title={t('customers.title')}
          rows={rows.slice(0, 8)}
          rowTitle={({ name }) => name}
          cells={{ status: ({ status }) => <StatusDot tone={status} label={t(`status.${status}`)} /> }}
        />
      </Sample>
    </GuidePage>
  )
}

type ChoiceProps = { label: string; help?: string; children: (labelId: string) => ReactNode }

function Choice({ label, help, children }: ChoiceProps) {
  const id = useId()
  return (
    <div>
      <Text fw={500} id={id}>
        {label}
      </Text>
      {help && (
        <Text size="sm" c="dimmed" mb={4}>
          {help}
        </Text>
      )}
      {children(id)}
    </div>
  )
}
