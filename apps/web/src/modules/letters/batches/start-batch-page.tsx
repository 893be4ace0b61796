import { Alert, Button, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import {
  type BatchRequest,
  batchLanguages,
  batchStages,
  previewLetterBatch,
  startLetterBatch,
} from '#domain/letters/batch-endpoints.ts'
import { listLetterKinds } from '#domain/letters/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { type Bindings, boundTo, useForm } from '#web/api/use-form.ts'
import { LetterText } from '#web/modules/letters/letter-text.tsx'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Values = Omit<BatchRequest, 'kindId'> & { kindId: string | null }
const emptyValues: Values = {
  kindId: null,
  language: 'applicant',
  waveId: null,
  programmeId: null,
  trackId: null,
  stage: null,
}
type Preview = Answer<typeof previewLetterBatch>

/** Starts a batch of letters: choose kind, language and people; shows their number and a sample letter. */
export default function StartBatchPage() {
  const { t } = useTranslation('letters')
  const { say } = useSurroundings()
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const [values, setValues, draft] = useDraft<Values>('letter-batch', emptyValues)
  const [settled] = useDebouncedValue(values, 350)
  const preview = useQuery<Preview, ApiError>({
    queryKey: [previewLetterBatch.path, settled],
    queryFn: ({ signal }) => call(previewLetterBatch, { body: settled as BatchRequest }, { signal }),
    enabled: settled.kindId !== null,
    placeholderData: keepPreviousData,
    meta: { quietAs: 'letterBatchPreview' },
    staleTime: 0,
  })
  const found = settled.kindId === null ? undefined : preview.data?.data
  const count = found?.letters ?? found?.people
  const sending = useForm({
    call: startLetterBatch,
    body: values,
    refusal: settled.kindId === null ? null : (preview.error ?? null),
    done: t('batch.started'),
    onDone: ({ data }) => {
      draft.clear()
      navigate(`/surat/massal/${data.id}`)
    },
  })
  const form = boundTo(sending, {
    values,
    set: (change: Partial<Values>) => setValues((before) => ({ ...before, ...change })),
  })
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <PageForm
        form={form}
        submit={t('batch.start', { count: count ?? 0 })}
        button={{ disabled: count === 0 }}
        gap={20}
        maw={860}
        beside={
          <>
            <Button component={Link} {...wayBack('/surat/massal')} variant="subtle" children={say('actions.cancel')} />
            <DraftSaved savedAt={draft.savedAt} failed={draft.failed} />
          </>
        }
      >
        <Card title={t('batch.what')}>
          <KindAndLanguage form={form} />
        </Card>
        <Card title={t('batch.who')}>
          <People form={form} />
        </Card>
        <Card title={t('batch.preview')}>
          {settled.kindId === null ? (
            <Text>{t('batch.choose')}</Text>
          ) : preview.data ? (
            <Sample preview={preview.data.data} />
          ) : (
            !preview.error && <LoadingRows rows={4} />
          )}
        </Card>
      </PageForm>
    </>
  )
}

type FieldsProps = { form: Bindings<Values> }

function KindAndLanguage({ form }: FieldsProps) {
  const { t } = useTranslation('letters')
  const kinds = useEndpoint(listLetterKinds, { query: { active: 'true', per_page: 100 } })
  if (!kinds.data) return <LoadingOrFailed error={kinds.error} onRetry={kinds.refetch} rows={2} />
  const choices = kinds.data.data.map(({ id, name }) => ({ value: id, label: name }))
  if (choices.length === 0) return <Text>{t('batch.noKinds')}</Text>
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select label={t('batch.kind')} data={choices} allowDeselect={false} {...form.value('kindId')} />
      <Select
        label={t('batch.language')}
        data={batchLanguages.map((value) => ({ value, label: t(`batchLanguage.${value}`) }))}
        allowDeselect={false}
        {...form.choice('language')}
      />
    </SimpleGrid>
  )
}

function People({ form }: FieldsProps) {
  const { t } = useTranslation(['letters', 'staff'])
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <ReferenceSelect
        to="periode"
        label={t('batchColumn.wave')}
        description={t('batch.anyWave')}
        clearable
        {...form.value('waveId')}
      />
      <ReferenceSelect
        to="prodi"
        label={t('batchColumn.programme')}
        description={t('batch.anyProgramme')}
        clearable
        {...form.value('programmeId')}
      />
      <ReferenceSelect
        to="jalur"
        label={t('batchColumn.track')}
        description={t('batch.anyTrack')}
        clearable
        {...form.value('trackId')}
      />
      <Select
        label={t('batchColumn.stage')}
        placeholder={t('batch.anyStage')}
        clearable
        data={batchStages.map((value) => ({ value, label: t(`staff:status.${value}`) }))}
        {...form.value('stage')}
      />
    </SimpleGrid>
  )
}

function Sample({ preview: { people, letters, sample } }: { preview: Preview['data'] }) {
  const { t } = useTranslation('letters')
  if (!sample) return <Text role="status">{t('batch.nobody')}</Text>
  const person = { name: sample.name, code: sample.code }
  return (
    <Stack gap="sm">
      <Text role="status" fw={600}>
        {t('batch.people', { count: people, total: wholeNumber(people) })}
      </Text>
      {letters !== null && letters < people && (
        <Text size="sm">{t('batch.without', { count: people - letters, total: wholeNumber(people - letters) })}</Text>
      )}
      <Text size="sm">{t('batch.note')}</Text>
      {sample.refusal ? (
        <Alert color="yellow" variant="light">
          {t('batch.refusedSample', { ...person, reason: sample.refusal })}
        </Alert>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('batch.sample', person)}
          </Text>
          <LetterText language={sample.language} title={sample.title} body={sample.body} />
        </>
      )}
    </Stack>
  )
}
