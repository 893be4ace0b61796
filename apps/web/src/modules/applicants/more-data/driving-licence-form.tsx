import { Alert, Anchor, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { licenceClasses } from '#domain/applicants/driving-licence.ts'
import {
  type DrivingLicence,
  getDrivingLicence,
  saveDrivingLicence,
  uploadDrivingLicence,
} from '#domain/applicants/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { BirthDateField } from '#web/ui/form/birth-date-field.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const tones: Record<DrivingLicence['status'], Tone> = { uploaded: 'waiting', approved: 'done', rejected: 'attention' }

const useLicence = () => useEndpoint(getDrivingLicence, {}, { staleTime: 60_000 })

/** Name of the driving licence (SIM) from the general settings, in the reader's language. */
export function useSimLabel(): string | undefined {
  const { language } = useSurroundings()
  return useLicence().data?.meta.label[language]
}

type Answers = { class: DrivingLicence['class']; number: string; expiresOn: string | null }
type Typed = Partial<Answers> & { drives?: boolean }

/** Answers about the licence; the device keeps them until they are saved. */
function useLicenceForm() {
  const queryClient = useQueryClient()
  const answer = useLicence()
  const [draftAnswers, setDraftAnswers, draft] = useDraft<Typed>('driving-licence', {})
  const [isSaved, setIsSaved] = useState(false)
  const licence = answer.data?.data ?? null
  const cacheLicence = (saved: { data: DrivingLicence }) =>
    queryClient.setQueryData(keyOf(getDrivingLicence, {}), (previous: typeof answer.data) => ({
      ...previous,
      ...saved,
    }))
  const drives = draftAnswers.drives ?? licence?.drives
  const answers = { ...licence, ...draftAnswers }
  const body = {
    version: licence?.version ?? 0,
    drives: drives ?? false,
    ...(drives && {
      class: answers.class ?? null,
      number: answers.number ?? null,
      expiresOn: answers.expiresOn ?? null,
    }),
  }
  const form = useForm({
    call: saveDrivingLicence,
    body,
    // A restored draft is checked at once, because the checks compare with empty answers.
    untouched: draft.restored ? { ...body, class: null, number: null, expiresOn: null } : body,
    onDone: (saved) => {
      cacheLicence(saved)
      setDraftAnswers({})
      draft.clear()
      setIsSaved(true)
    },
    onRefused: ({ code }) =>
      code === 'stale_version' && queryClient.invalidateQueries({ queryKey: keyOf(getDrivingLicence) }),
  })
  const set = (changes: Typed) => {
    setIsSaved(false)
    setDraftAnswers((previous) => ({ ...previous, ...changes }))
  }
  return {
    answer,
    licence,
    drives,
    form: boundTo(form, {
      values: {
        class: answers.class ?? null,
        number: answers.number ?? '',
        expiresOn: answers.expiresOn ?? null,
      } satisfies Answers,
      set,
    }),
    set,
    isUnchanged: Object.keys(draftAnswers).length === 0,
    isSaved,
    cacheLicence,
  }
}

/** Asks whether the applicant drives, for the licence and for its picture. */
export function DrivingLicenceForm({ title }: { title: string | undefined }) {
  const { t } = useTranslation('applicants')
  const { answer, licence, drives, form, set, isUnchanged, isSaved, cacheLicence } = useLicenceForm()
  const { data, error, refetch } = answer
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={44} />

  return (
    <Card
      title={title}
      actions={licence?.drives && <StatusDot tone={tones[licence.status]} label={t(`sim.status.${licence.status}`)} />}
    >
      <PageForm
        form={form}
        submit={t('form.save')}
        button={{ disabled: isUnchanged }}
        maw={640}
        layOut={(send) => (
          <>
            <Group>
              {send}
              <Text size="sm" c="dimmed" role="status" aria-live="polite">
                {isSaved ? t('sim.saved') : ''}
              </Text>
            </Group>
            {licence?.drives && drives && <ScanDrop licence={licence} onUploaded={cacheLicence} />}
          </>
        )}
      >
        <Text c="dimmed">{t('sim.lead')}</Text>
        {licence?.rejectReason && <Alert color="orange">{licence.rejectReason}</Alert>}
        <Radio.Group
          size="md"
          label={t('sim.question')}
          value={drives === undefined ? '' : String(drives)}
          onChange={(value) => set({ drives: value === 'true' })}
        >
          <Stack mt="xs" gap="xs">
            <Radio value="true" label={t('sim.yes')} />
            <Radio value="false" label={t('sim.no')} />
          </Stack>
        </Radio.Group>
        {drives && (
          <>
            <Select
              label={t('sim.class')}
              placeholder={t('form.choose')}
              data={[...licenceClasses]}
              w={200}
              {...form.value('class')}
            />
            <TextInput
              label={t('sim.number')}
              description={t('sim.numberHelp')}
              inputMode="numeric"
              maxLength={22}
              {...form.text('number')}
            />
            <BirthDateField
              label={t('sim.expiresOn')}
              years={[new Date().getFullYear() - 5, new Date().getFullYear() + 10]}
              {...form.value('expiresOn')}
            />
          </>
        )}
      </PageForm>
    </Card>
  )
}

type ScanProps = { licence: DrivingLicence; onUploaded: (answer: { data: DrivingLicence }) => void }

function ScanDrop({ licence, onUploaded }: ScanProps) {
  const { t } = useTranslation('applicants')
  return (
    <FileDrop
      label={t('sim.scan')}
      hint={
        licence.fileUrl && (
          <Anchor href={licence.fileUrl} target="_blank" rel="noopener">
            {t('sim.open')}
          </Anchor>
        )
      }
      accept={['image/jpeg', 'image/png', 'image/webp', 'application/pdf']}
      maxBytes={5_000_000}
      camera="environment"
      current={
        licence.fileName
          ? {
              name: licence.fileName,
              previewUrl: licence.fileUrl?.startsWith('/getImage') ? licence.fileUrl : null,
            }
          : null
      }
      onSend={async (file, onProgress, signal) => {
        const uploadForm = new FormData()
        uploadForm.append('file', file)
        onUploaded(
          await upload<{ data: DrivingLicence }>(uploadDrivingLicence.path, uploadForm, onProgress, {
            signal,
          }),
        )
      }}
    />
  )
}
