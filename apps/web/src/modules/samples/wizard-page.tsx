import { Button, Group, Stack, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { stageKeys } from '#domain/admissions/stages.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { Stepper } from '#web/modules/admissions/apply/stepper.tsx'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { Card } from '#web/ui/card.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { stagesUpTo } from './invented.ts'

const base = '/crafted/pages/wizards'

/** The stepper in either direction, moved by two buttons. */
export default function WizardPage() {
  const { t } = useTranslation(['samples', 'admissions'])
  const { pathname } = useLocation()
  const [index, setIndex] = useState(2)
  return (
    <GuidePage>
      <Sample code="<Stepper>" file="modules/admissions/apply/stepper.tsx" when={t('when.stepper')}>
        <PageTabs
          label={t('wizard.directions')}
          current={pathname}
          tabs={(['horizontal', 'vertical'] as const).map((direction) => [
            `${base}/${direction}`,
            t(`wizard.${direction}`),
          ])}
        />
        <Card>
          <Stack>
            <Stepper stages={stagesUpTo(index)} isVertical={pathname.endsWith('vertical')} />
            <VisuallyHidden role="status">
              {index < stageKeys.length
                ? t('wizard.at', {
                    number: index + navigationConstants.stepperStartIndex,
                    count: stageKeys.length,
                    name: t(`admissions:stage.${stageKeys[index]!}`),
                  })
                : t('wizard.end')}
            </VisuallyHidden>
            <Group>
              <Button variant="default" disabled={index === 0} onClick={() => setIndex(index - 1)}>
                {t('wizard.back')}
              </Button>
              <Button disabled={index === stageKeys.length} onClick={() => setIndex(index + 1)}>
                {t('wizard.next')}
              </Button>
            </Group>
          </Stack>
        </Card>
      </Sample>
    </GuidePage>
  )
}
