import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { enrolmentFieldsOf } from '#domain/students/files/enrolment-data.ts'
import {
  correctEnrolmentData,
  type EnrolmentData,
  saveEnrolmentData,
} from '#domain/students/files/enrolment-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type EnrolmentAnswers, EnrolmentFields } from './enrolment-fields.tsx'

const fields = Object.values(enrolmentFieldsOf).flat()

const answersOf = (data: EnrolmentData) =>
  Object.fromEntries(fields.map((field) => [field, data[field]])) as unknown as EnrolmentAnswers

/** Enrolment form, prefilled with known data; the device keeps the answers until they are saved. */
export function EnrolmentDataForm({ data, correcting = false }: { data: EnrolmentData; correcting?: boolean }) {
  const { t } = useTranslation('enrolment-data')
  const { language } = useSurroundings()
  const [typed, setTyped, draft] = useDraft<Partial<EnrolmentAnswers>>(`enrolment-data:${data.registrationId}`, {})
  const answers = { ...answersOf(data), ...typed }
  const form = useForm({
    call: (correcting ? correctEnrolmentData : saveEnrolmentData) as typeof correctEnrolmentData,
    params: { id: data.registrationId },
    start: { reason: '' },
    body: ({ reason }) => ({ ...answers, version: data.version, ...(correcting && { reason: reason.trim() }) }),
    opensAgain: true,
    done: t('saved'),
    onDone: () => {
      setTyped({})
      draft.clear()
    },
  })
  return (
    <Card>
      <PageForm
        form={form}
        submit={t('save')}
        beside={
          !correcting && (
            <Button component={Link} to={`/pendaftaran/${data.registrationId}`} variant="default">
              {t('back')}
            </Button>
          )
        }
        maw={640}
        gap="xl"
      >
        <Text c="dimmed">{t(correcting ? 'leadStaff' : 'lead')}</Text>
        {data.identityHidden && <Text>{t('identityHidden')}</Text>}
        {data.savedAt && <Text size="sm">{t('savedAt', { date: dateTime(data.savedAt, language) })}</Text>}
        <EnrolmentFields
          form={boundTo(form, {
            values: answers,
            set: (change) => setTyped((before) => ({ ...before, ...change })),
          })}
          isTransfer={data.isTransfer}
          identityHidden={data.identityHidden}
          correcting={correcting}
        />
        {correcting && <ReasonInput label={t('reason')} description={t('reasonHelp')} {...form.text('reason')} />}
      </PageForm>
    </Card>
  )
}
