import { Button, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { MultiReferenceSelect, ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { PlaceFields } from './place-fields.tsx'
import { SeriesPreview } from './series-preview.tsx'
import { TimeFields } from './time-fields.tsx'
import { type SeriesState, useSeries } from './use-series.ts'

/** Adds one test session or a series of days × times, after previewing everything to be written. */
export default function CreateSessionsPage() {
  const { t } = useTranslation('test-sessions')
  const { say } = useSurroundings()
  const wayBack = useWayBack()
  const series = useSeries()
  const count = series.sessions?.length ?? 0
  const isInTheWay = series.sessions?.some(({ clashes }) => clashes.length > 0)
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <PageForm
        form={series.form}
        submit={t('create.button', { count: Math.max(1, count) })}
        button={{ disabled: Boolean(isInTheWay) }}
        gap={20}
        maw={860}
        beside={
          <>
            <Button component={Link} {...wayBack('/jadwal-test')} variant="subtle" children={say('actions.cancel')} />
            <DraftSaved savedAt={series.draftStore.savedAt} failed={series.draftStore.failed} />
          </>
        }
      >
        <Card title={t('create.what')}>
          <WhatFields series={series} />
        </Card>
        <Card title={t('create.when')}>
          <TimeFields series={series} />
        </Card>
        <Card title={t('create.where')}>
          <PlaceFields series={series} />
        </Card>
        <Card title={t('create.preview')}>
          <SeriesPreview series={series} />
        </Card>
      </PageForm>
    </>
  )
}

function WhatFields({ series: { form } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReferenceSelect to="periode" label={t('create.waveId')} {...form.value('waveId')} />
        <ReferenceSelect
          to="jalur"
          label={t('create.trackId')}
          description={t('create.trackHelp')}
          clearable
          {...form.value('trackId')}
        />
      </SimpleGrid>
      <MultiReferenceSelect to="list-test" label={t('create.testIds')} {...form.value('testIds')} />
      <TextInput label={t('create.name')} description={t('create.nameHelp')} {...form.text('name')} />
      <SegmentedControl
        aria-label={t('create.mode')}
        value={form.values.mode}
        onChange={(mode) => form.set({ mode })}
        data={(['onsite', 'online'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
      />
    </Stack>
  )
}
